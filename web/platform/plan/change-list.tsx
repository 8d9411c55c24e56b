import { dateAt } from '#contract/time-zone.ts';
import { texts, timeOfDay } from '../../parts/text.ts';
import type { PlanChange } from './changes.ts';
import { changeWords, whyWords } from './plan-words.ts';
import './change-list.css';

const t = texts({
  span: '{from}–{to}',
  until: 'now–{to}',
  tomorrow: 'tomorrow {span}',
  nothing: 'The plan changes nothing in the next two days: there is nothing to gain.',
});

type ListProps = { changes: readonly PlanChange[]; nowMs: number; timeZone: string | undefined };

/** Lists what a plan will do, each with its reason. */
export function ChangeList({ changes, nowMs, timeZone }: ListProps) {
  if (changes.length === 0) return <p class="says">{t('nothing')}</p>;
  return (
    <ol class="plan-changes">
      {changes.map((change) => (
        <li key={`${change.storage.der_id} ${change.from}`}>
          <time>{whenWords(change, nowMs, timeZone)}</time>
          <b>
            <i class={`plan-mark ${change.storage.kind === 'car' ? 'car' : 'battery'}`} /> {changeWords(change)}
          </b>
          <p>
            {whyWords(change.code)}. <span lang="en">{change.text}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}

function whenWords({ from, to }: PlanChange, nowMs: number, timeZone: string | undefined): string {
  const end = timeOfDay(to, timeZone);
  if (from <= nowMs) return t('until', { to: end });
  const span = t('span', { from: timeOfDay(from, timeZone), to: end });
  return dateAt(timeZone, from) === dateAt(timeZone, nowMs) ? span : t('tomorrow', { span });
}
