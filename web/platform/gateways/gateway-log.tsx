import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Card } from '../../parts/card.tsx';
import { Code } from '../../parts/copy.tsx';
import { timeWithSeconds } from '../../parts/format.ts';
import { type LogLevel, type LogLine, readLogLine } from '../../parts/log-line.ts';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import './gateways.css';
import { openEvents } from '#contract/client/event-stream.ts';
import { isTransient, sleep } from '#contract/client/retry.ts';
import { createSender } from '#contract/client/send.ts';
import { streamGatewayLogs } from '#contract/cloud/gateways.ts';
import { api } from '../session.ts';

const silenceMs = 45_000; // the platform speaks every 15 s, if only to say that it is there
const retryMs = 3000;

/** The lines of the log of a gateway as they are written, through losses of the connection, until the signal ends it. */
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
    await sleep(retryMs, signal).catch(() => {}); // the loop sees that it was aborted
  }
}

const t = texts({
  en: {
    title: 'Its log, as it is written',
    none: 'Nothing has come yet. A gateway sends its log when it is told to, from its own network:',
    fatal: 'fatal',
    error: 'error',
    warn: 'warning',
    info: 'info',
    debug: 'debug',
    trace: 'trace',
    clear: 'Clear',
  },
  sv: {
    title: 'Dess logg, när den skrivs',
    none: 'Inget har kommit ännu. En gateway skickar sin logg när någon i dess nät ber om det:',
    fatal: 'ödesdigert',
    error: 'fel',
    warn: 'varning',
    info: 'information',
    debug: 'felsökning',
    trace: 'detaljer',
    clear: 'Töm',
  },
});

const mostShown = 300;

const tones: Partial<Record<LogLevel, string>> = { fatal: 'problem', error: 'problem', warn: 'warning' };

const toSend = `curl http://GATEWAY:8081/api/system/log_stream -H 'content-type: application/json' -d '{"enabled": true}'`;

type Shown = LogLine & { no: number };

export function GatewayLog({ serial }: { serial: string }) {
  const lines = useSignal<readonly Shown[]>([]);
  const problem = useSignal<unknown>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    void (async () => {
      let no = 0;
      try {
        for await (const line of followLog(serial, leaving.signal)) {
          lines.value = [{ no: no++, ...readLogLine(line) }, ...lines.peek()].slice(0, mostShown);
        }
      } catch (error) {
        if (!leaving.signal.aborted) problem.value = error;
      }
    })();
    return () => leaving.abort();
  }, [serial]);
  const clear = (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        lines.value = [];
      }}
    >
      {t('clear')}
    </button>
  );
  return (
    <Card title={t('title')} beside={lines.value.length > 0 && clear}>
      {problem.value !== undefined && <Failed problem={problem.value} />}
      {lines.value.length === 0 && (
        <>
          <p class="says">{t('none')}</p>
          <Code>{toSend}</Code>
        </>
      )}
      <ol class="gateway-log" tabIndex={lines.value.length > 0 ? 0 : undefined} aria-label={t('title')}>
        {lines.value.map(({ no, level, message, atMs, more }) => (
          <li key={no}>
            <time class="says">{atMs === undefined ? '' : timeWithSeconds(atMs)}</time>
            <span class={`tag ${tones[level] ?? ''}`}>{t(level)}</span>
            <span>
              {message} <code>{more}</code>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
