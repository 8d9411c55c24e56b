// node test/faults/control-long.ts --runs 300 [--beside 3] [--planted no-watchdog]
import { parseArgs } from 'node:util';
import { isGood, type Outcome, runTrials, trials, withinMs } from './control-run.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    beside: { type: 'string', default: '3' },
    planted: { type: 'string' },
  },
});
const planted = values.planted === 'no-watchdog' ? values.planted : undefined;
const outcomes = await runTrials(Number(values.runs), Number(values.beside), planted);

const quantile = (sorted: readonly number[], fract: number): number | undefined =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fract))];

function line(name: string, some: readonly Outcome[]): string {
  const back = some.flatMap(({ backAfterMs }) => backAfterMs ?? []).toSorted((one, other) => one - other);
  const good = some.filter(isGood).length;
  const applied = some.filter(({ isApplied }) => isApplied).length;
  const figures = `${good}/${some.length} good, ${applied} applied, back after ${quantile(back, 0.5)} / ${quantile(back, 1)} ms`;
  return `${name.padEnd(52)} ${figures} (median / latest)`;
}

for (const trial of trials) {
  const some = outcomes.filter((outcome) => outcome.trial === trial);
  if (some.length > 0) console.log(line(trial, some));
}
console.log(line('all', outcomes));
const bad = outcomes.filter((outcome) => !isGood(outcome));
for (const outcome of bad) console.log(JSON.stringify(outcome));
console.log(`${bad.length} of ${outcomes.length} runs were not back within ${withinMs} ms or did what was forbidden.`);
process.exitCode = bad.length > 0 ? 1 : 0;
