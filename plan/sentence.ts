import type { PlanCost, PlanProblem } from '#contract/plan.ts';
import type { PlanSaying } from '#contract/plan-sentences.ts';
import { clausesInEnglish } from './english.ts';
import { costOf } from './schedule.ts';
import { selfConsumption } from './self-consumption.ts';

export type Savings = { selfConsumption: PlanCost; saves: number; sentence: string; says: PlanSaying[] };

const parts = [
  { part: 'energy', sign: 1 },
  { part: 'peaks', sign: 1 },
  { part: 'wear', sign: 1 },
  { part: 'over_import', sign: 1 },
  { part: 'end_value', sign: -1 },
] as const;

const least = 0.005;

/** Compares the cost of a plan with self-consumption: batteries only cover the house, and cars charge at once. */
export function savingsOf(problem: PlanProblem, cost: PlanCost): Savings {
  const without = costOf(problem, selfConsumption(problem));
  const saves = without.total - cost.total;
  const from = parts
    .map(({ part, sign }) => ({ part, difference: (without[part] - cost[part]) * sign }))
    .filter(({ difference }) => Math.abs(difference) >= least)
    .toSorted((a, b) => b.difference - a.difference)
    .map(({ part, difference }): PlanSaying => {
      const key = difference > 0 ? (`${part}_less` as const) : (`${part}_more` as const);
      return { key, amount: amountOf(difference) };
    });
  const main: PlanSaying =
    Math.abs(saves) < least
      ? { key: 'plan_equals' }
      : { key: saves > 0 ? 'plan_saves' : 'plan_costs', amount: amountOf(saves) };
  const says = [main, ...from];
  return { selfConsumption: without, saves, sentence: clausesInEnglish(says, { timeZone: problem.timezone }), says };
}

const amountOf = (difference: number): number => Number(Math.abs(difference).toFixed(2));
