import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SiteEvent } from '#contract/client/site-stream.ts';
import { Button } from '../../parts/action.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Field, Switch } from '../../parts/field.tsx';
import { Card, Failed } from '../../parts/layout.tsx';
import { timeNow } from '../../parts/now.ts';
import { number, texts, timeWithSeconds } from '../../parts/text.ts';
import { useLive } from '../live.ts';

const t = texts({
  title: 'Live events',
  pause: 'Pause',
  filter: 'Filter',
  rate: '{rate} per second',
  none: 'No events yet. A site with an online gateway sends events every second.',
  copy: 'Copy as JSON',
});

type ShownEvent = { no: number; atMs: number; text: string };

const maxShown = 200;
const rateMs = 5000;
const renderMs = 250;

/** Shows the events of a site, newest first. */
export function EventViewer({ siteId }: { siteId: string }) {
  const live = useLive(siteId);
  const shown = useSignal<readonly ShownEvent[]>([]);
  const isPaused = useSignal(false);
  const filter = useSignal('');
  const rate = useSignal(0);
  useEffect(() => {
    let times: number[] = [];
    let arrived: ShownEvent[] = [];
    let count = 0;
    const stop = live.listen((event) => {
      const atMs = timeNow();
      times.push(atMs);
      if (!isPaused.peek()) arrived.unshift({ no: count++, atMs, text: JSON.stringify(plain(event)) });
    });
    const timer = setInterval(() => {
      times = times.filter((time) => timeNow() - time < rateMs);
      rate.value = times.length / (rateMs / 1000);
      if (arrived.length === 0) return;
      shown.value = [...arrived, ...shown.peek()].slice(0, maxShown);
      arrived = [];
    }, renderMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [live]);
  const listed = shown.value.filter(({ text }) => text.toLowerCase().includes(filter.value.toLowerCase()));
  return (
    <Card title={t('title')} beside={<span class="tag">{t('rate', { rate: number(rate.value, 1) })}</span>}>
      <Failed problem={live.problem.value} />
      <div class="actions">
        <Field label={t('filter')} value={filter} placeholder="battery" />
        <Switch label={t('pause')} value={isPaused} />
        <Button label={t('clear')} onClick={() => (shown.value = [])} />
      </div>
      {shown.value.length === 0 && <p class="says">{t('none')}</p>}
      <ul class="events">
        {listed.map(({ no, atMs, text }) => (
          <li key={no}>
            <time class="says">{timeWithSeconds(atMs)}</time>
            <code>{text}</code>
            <CopyButton text={text} label={t('copy')} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const plain = (event: SiteEvent): object =>
  event.type === 'disconnected' ? { type: event.type, problem: event.error.message } : event;
