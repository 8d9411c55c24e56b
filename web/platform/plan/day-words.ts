import { weekday } from '../../parts/text.ts';

const monday = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

/** The days of a week; 1 is Monday. */
export const allDays = [1, 2, 3, 4, 5, 6, 7];

const wordOf = (day: number): string => weekday(monday + (day - 1) * dayMs, 'UTC');

/** Names days of the week, such as Mon–Fri, Sun; days in a row become a range from three on. */
export function dayWords(days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  return runs
    .flatMap((run) => (run.length < 3 ? run.map(wordOf) : [`${wordOf(run[0] ?? 1)}–${wordOf(run.at(-1) ?? 7)}`]))
    .join(', ');
}
