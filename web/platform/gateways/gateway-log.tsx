import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { openEvents } from '#contract/client/event-stream.ts';
import { isTransient, sleep } from '#contract/client/retry.ts';
import { createSender } from '#contract/client/send.ts';
import { streamGatewayLogs } from '#contract/cloud/gateways.ts';
import { Button } from '../../parts/action.tsx';
import { Code } from '../../parts/copy.tsx';
import { Card, Failed } from '../../parts/layout.tsx';
import { type LogLevel, type LogLine, levelWords, readLogLine } from '../../parts/log-line.ts';
import { texts, timeWithSeconds } from '../../parts/text.ts';
import { useStream } from '../live.ts';
import { api } from '../session.ts';
import './gateways.css';

const t = texts({
  title: 'Live log',
  none: 'No log lines yet. Turn on log streaming on the gateway, from its own network:',
});

const silenceMs = 45_000; // the platform sends a heartbeat every 15 s
const retryMs = 3000;

/** Yields log lines and reconnects until the signal aborts. */
async function* followLog(serial: string, signal: AbortSignal): AsyncGenerator<string> {
  const platform = api();
  const ask = createSender({ baseUrl: platform.url, token: (refused) => platform.token(refused) });
  while (!signal.aborted) {
    try {
      const { events } = await openEvents(ask, streamGatewayLogs, { params: { serial }, signal, silenceMs });
      for await (const { name, data } of events) if (name === '' || name === 'message') yield data;
    } catch (error) {
      if (signal.aborted) return;
      if (!isTransient(error)) throw error;
    }
    await sleep(retryMs, signal).catch(() => {}); // the loop condition handles an abort
  }
}

const maxShown = 300;

const tones: Partial<Record<LogLevel, string>> = { fatal: 'problem', error: 'problem', warn: 'warning' };

const enableCommand = `curl http://GATEWAY:8081/api/system/log_stream -H 'content-type: application/json' -d '{"enabled": true}'`;

export function GatewayLog({ serial }: { serial: string }) {
  const lines = useSignal<readonly (LogLine & { no: number })[]>([]);
  const problem = useSignal<unknown>(undefined);
  const count = useRef(0);
  const show = (line: string): void => {
    lines.value = [{ no: count.current++, ...readLogLine(line) }, ...lines.peek()].slice(0, maxShown);
  };
  useStream(serial, (signal) => followLog(serial, signal), show, problem);
  const clear = <Button tone="quiet" label={t('clear')} onClick={() => (lines.value = [])} />;
  return (
    <Card title={t('title')} beside={lines.value.length > 0 && clear}>
      <Failed problem={problem.value} />
      {lines.value.length === 0 && (
        <>
          <p class="says">{t('none')}</p>
          <Code>{enableCommand}</Code>
        </>
      )}
      <ol class="gateway-log" tabIndex={lines.value.length > 0 ? 0 : undefined} aria-label={t('title')}>
        {lines.value.map(({ no, level, message, atMs, more }) => (
          <li key={no}>
            <time class="says">{atMs === undefined ? '' : timeWithSeconds(atMs)}</time>
            <span class={`tag ${tones[level] ?? ''}`}>{levelWords(level)}</span>
            <span>
              {message} <code>{more}</code>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
