import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { getLog } from '#contract/gateway/status.ts';
import { download } from '../../parts/download.ts';
import { choicesOf, Field, Select, Switch } from '../../parts/field.tsx';
import { PageHead } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/load.tsx';
import {
  type LogLevel,
  type LogLine,
  levelWords,
  logLevels,
  matchesFilter,
  readLogLine,
} from '../../parts/log-line.ts';
import { dateAndTime, texts, timeWithSeconds } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import './log.css';
import { Button } from '../../parts/action.tsx';

const t = texts({
  says: 'The last 200 lines, newest last.',
  follow: 'Scroll automatically',
  none: 'No matching lines.',
  lines: 'Log lines',
});

const everyMs = 2000;

export default function LogPage() {
  const log = usePoll((signal) => gateway.call(getLog, { signal }), [], everyMs);
  const least = useSignal<LogLevel>('info');
  const words = useSignal('');
  const isFollowed = useSignal(true);
  const save = (): void => download('gateway.log', `${log.value?.lines.join('\n') ?? ''}\n`, 'text/plain');
  return (
    <>
      <PageHead title={t('log')} says={t('says')}>
        <Button label={t('download')} isDisabled={!log.value} onClick={save} />
      </PageHead>
      <div class="log-choices">
        <Select label={t('minLevel')} value={least} choices={choicesOf(logLevels, levelWords)} />
        <Field label={t('search')} value={words} />
        <Switch label={t('follow')} value={isFollowed} />
      </div>
      <Loaded from={log} lines={8}>
        {({ lines }) => (
          <Lines
            shown={lines.map(readLogLine).filter((line) => matchesFilter(line, least.value, words.value))}
            isFollowed={isFollowed.value}
          />
        )}
      </Loaded>
    </>
  );
}

function Lines({ shown, isFollowed }: { shown: readonly LogLine[]; isFollowed: boolean }) {
  const list = useRef<HTMLOListElement>(null);
  const last = shown.at(-1)?.text;
  useEffect(() => {
    if (isFollowed && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last, isFollowed]);
  if (shown.length === 0) return <p class="says">{t('none')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it
    <ol class="log" ref={list} tabIndex={0} aria-label={t('lines')}>
      {shown.map(({ level, atMs, message, more }, index) => (
        <li key={index} class={level}>
          <time class="soft" title={atMs === undefined ? '' : dateAndTime(atMs)}>
            {atMs === undefined ? '' : timeWithSeconds(atMs)}
          </time>
          <span class="level">{levelWords(level)}</span>
          <span>
            {message} <span class="soft">{more}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
