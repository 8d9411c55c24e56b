import { fillSentence, joinClauses, type PlanSaying, planSentences } from '#contract/plan-sentences.ts';
import { wallAt } from '#contract/time-zone.ts';

type Seen = { timeZone: string; fromMs?: number };

/** Returns a sentence in English. The date of a time is left out if it is that of `fromMs`. */
export function inEnglish(saying: PlanSaying, { timeZone, fromMs }: Seen): string {
  const wall = (ms: number): string => new Date(wallAt(timeZone, ms)).toISOString();
  return fillSentence(planSentences[saying.key], saying, (name, value) => {
    if (typeof value === 'number')
      return name.endsWith('_kw') || name.endsWith('_kwh') ? unit(name, value) : value.toFixed(2);
    if (name !== 'at') return value;
    const text = wall(Date.parse(value));
    const [date, time] = [text.slice(0, 10), text.slice(11, 16)];
    if (fromMs === undefined) return `${date} ${time}`;
    return date === wall(fromMs).slice(0, 10) ? time : `${time} on ${date}`;
  });
}

const unit = (name: string, value: number): string => `${value.toFixed(1)} ${name.endsWith('_kw') ? 'kW' : 'kWh'}`;

export const clausesInEnglish = (clauses: readonly PlanSaying[], seen: Seen): string =>
  joinClauses(clauses.map((clause) => inEnglish(clause, seen)));
