import { dayMs } from '#contract/time.ts';
import { daysBefore, endOf, type History, isWeekend, meanOver, type Span, weekdayAt } from './history.ts';

const learnedDays = 28;
const otherKindOfDay = 0.1;

/**
 * Returns a function that gives the chance that a car is connected, from a history of 1 (connected) and 0. NaN without any
 * history of that time of day.
 */
export function forecastPresence(history: History, timezone: string): (span: Span) => number {
  const now = endOf(history);
  return (span) => {
    const weekend = isWeekend(weekdayAt(timezone, span.start));
    let [present, total] = [0, 0];
    const first = Math.max(1, Math.ceil((span.end - now) / dayMs));
    for (let days = first; days < first + learnedDays; days++) {
      const before = daysBefore(span, days, timezone);
      const share = meanOver(history, before);
      if (Number.isNaN(share)) continue;
      const weight = isWeekend(weekdayAt(timezone, before.start)) === weekend ? 1 : otherKindOfDay;
      present += weight * share;
      total += weight;
    }
    return total > 0 ? present / total : Number.NaN;
  };
}
