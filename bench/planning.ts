import { plan } from '#plan/planner.ts';
import { type HomeOptions, homeProblem } from '#plan/testing/home-problem.ts';
import { type Finding, type Goal, measured } from './measure/finding.ts';

const problems = 24;
const longProblems = 4;
const under = (atMost: number): Goal => ({ of: 'value', atMost });

/** Measures plans of generated homes in the thread that is kept, and the memory of the process after 20 more. */
export async function planning(): Promise<Finding[]> {
  const near = { quarters: 192, hours: 22 * 24, cars: 1 } as const;
  const [withPrice, withTiers] = [await plansOf(near, problems), await plansOf({ ...near, fee: 'tiers' }, problems)];
  const long = await plansOf({ quarters: 2880 }, longProblems);
  const longTiers = await plansOf({ quarters: 2880, fee: 'tiers' }, longProblems);
  const before = process.memoryUsage().rss;
  await plansOf(near, 20);
  const grown = (process.memoryUsage().rss - before) / 1e6;
  return [
    measured(
      '48 h in quarters, then hours to the end of the month, with a car: 95 % of plans',
      'ms CPU',
      [p95(withPrice)],
      under(2000),
    ),
    measured('the same with tiers', 'ms CPU', [p95(withTiers)], under(2000)),
    measured('2 880 quarter-hours, the slowest', 'ms CPU', [Math.max(...long.map(({ ms }) => ms))], under(20_000)),
    measured('the same with tiers', 'ms CPU', [Math.max(...longTiers.map(({ ms }) => ms))], under(20_000)),
    measured(
      'their gap to the bound, the largest',
      '%',
      [100 * Math.max(...longTiers.map(({ gap }) => gap))],
      under(0.5),
    ),
    measured('memory after 20 more plans, more than before', 'MB', [grown]),
  ];
}

type Measured = { ms: number; gap: number };

async function plansOf(options: HomeOptions, count: number): Promise<Measured[]> {
  const found: Measured[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const began = process.cpuUsage();
    const { gap } = await plan(homeProblem(seed, options));
    const { user, system } = process.cpuUsage(began);
    found.push({ ms: (user + system) / 1000, gap });
  }
  return found;
}

const p95 = (found: readonly Measured[]): number =>
  found.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.ceil(found.length * 0.95) - 1]!;
