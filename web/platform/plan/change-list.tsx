import { dateAt } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';
import { texts, timeOfDay, weekday } from '../../parts/text.ts';
import type { PlanChange } from './changes.ts';
import { changeWords, type Seen, whyWords } from './plan-words.ts';
import { Said } from './said.tsx';
import './change-list.css';

const t = texts({
  span: '{from}–{to}',
  until: 'now–{to}',
  tomorrow: 'tomorrow {span}',
  nothing: 'The plan changes nothing in the next two days: there is nothing to gain.',
});

type ListProps = { changes: readonly PlanChange[]; nowMs: number; seen: Seen };

/** Lists what a plan will do, each with its reason. */
export function ChangeList({ changes, nowMs, seen }: ListProps) {
  if (changes.length === 0) return <p class="says">{t('nothing')}</p>;
  return (
    <ol class="plan-changes">
      {changes.map((change) => (
        <li key={`${change.storage.der_id} ${change.from}`}>
          <time>{whenWords(change, nowMs, seen.timeZone)}</time>
          <b>
            <i class={`plan-mark ${change.storage.kind === 'car' ? 'car' : 'battery'}`} /> {changeWords(change)}
          </b>
          {change.reason && (
            <p>
              {whyWords(change.reason.code)}.{' '}
              <Said says={change.reason.says} text={change.reason.text} seen={{ ...seen, fromMs: change.at }} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function whenWords({ from, to }: PlanChange, nowMs: number, timeZone: string | undefined): string {
  const end = timeOfDay(to, timeZone);
  if (from <= nowMs) return t('until', { to: end });
  const span = t('span', { from: timeOfDay(from, timeZone), to: end });
  const [date, today] = [dateAt(timeZone, from), dateAt(timeZone, nowMs)];
  if (date === today) return span;
  return date === addDays(today, 1) ? t('tomorrow', { span }) : `${weekday(from, timeZone)} ${span}`;
}
