import type { PlanCost, PlanProblem } from '#contract/plan.ts';
import { costOf } from './schedule.ts';
import { selfConsumption } from './self-consumption.ts';

export type Savings = { selfConsumption: PlanCost; saves: number; sentence: string };

const parts = [
  { part: 'energy', is: 'for energy', sign: 1 },
  { part: 'peaks', is: 'for power charges', sign: 1 },
  { part: 'wear', is: 'for wear', sign: 1 },
  { part: 'over_import', is: 'for exceeding the import limit', sign: 1 },
  { part: 'end_value', is: 'in what is stored at the end', sign: -1 },
] as const;

const least = 0.005;

/** Compares the cost of a plan with self-consumption: batteries only cover the house, and cars charge at once. */
export function savingsOf(problem: PlanProblem, cost: PlanCost): Savings {
  const without = costOf(problem, selfConsumption(problem));
  const saves = without.total - cost.total;
  const differences = parts.flatMap(({ part, is, sign }) => {
    const difference = (without[part] - cost[part]) * sign;
    return Math.abs(difference) < least ? [] : [{ is, difference }];
  });
  const from = differences
    .toSorted((a, b) => b.difference - a.difference)
    .map(({ is, difference }) => `${Math.abs(difference).toFixed(2)} ${difference > 0 ? 'less' : 'more'} ${is}`);
  const sentence =
    Math.abs(saves) < least
      ? 'Costs as much as self-consumption without a plan'
      : `${saves > 0 ? 'Saves' : 'Costs'} ${Math.abs(saves).toFixed(2)}${saves > 0 ? '' : ' more'} compared with self-consumption without a plan`;
  return { selfConsumption: without, saves, sentence: `${sentence}${from.length > 0 ? `: ${from.join(', ')}` : ''}.` };
}
