import type { DaysResult, PlantedMistake } from '#gateway/plan/testing/simulated-days.ts';
import { inThread } from '../in-thread.ts';
import type { Outcome, Proof } from '../proof.ts';
import type { SimulatedDays } from './plan-thread.ts';

const program = new URL('./plan-thread.ts', import.meta.url);
const beside = 2;
const daysOfMonth = 30;
const maxExceeded_fract = 0.02;

/** Lets the executor follow plans in one house after the other, two at once. */
async function simulate(houses: readonly SimulatedDays[]): Promise<DaysResult[]> {
  const results: DaysResult[] = [];
  const waiting = [...houses];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      results.push(await inThread<SimulatedDays, DaysResult>({ program }, next));
    }
  };
  await Promise.all(Array.from({ length: beside }, work));
  return results;
}

function outcomeOf(results: readonly DaysResult[]): Outcome {
  const sum = (count: (result: DaysResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  const [days, months, exceeded] = [
    sum((each) => each.days),
    sum((each) => each.months),
    sum((each) => each.exceededMonths),
  ];
  const excessS = sum((each) => each.excessS);
  return {
    tried: days,
    failed: excessS + (exceeded > maxExceeded_fract * months ? exceeded : 0),
    notes: [
      `${excessS} seconds above the fuse after more than 5 s, the longest time above it was ${Math.max(...results.map((each) => each.longestExcessS))} s`,
      `${exceeded} of ${months} months exceeded the planned peak although the battery had energy`,
      `${Math.round(sum((each) => each.writes) / days)} setpoints per day`,
    ],
  };
}

const monthsOf = (days: number): SimulatedDays[] =>
  Array.from({ length: Math.ceil(days / daysOfMonth) }, (_, n) => ({
    seed: n + 1,
    days: Math.min(daysOfMonth, days - n * daysOfMonth),
  }));

const planted = (mistake: PlantedMistake, days: number): Promise<DaysResult[]> =>
  simulate([{ seed: 7, days, planted: mistake }]);

export const plan: Proof = {
  id: 'S43',
  what: 'Simulated days of a plan: seconds in which a phase exceeds the fuse by 5 % for more than 5 s, and months above the planned peak beyond 2 %',
  full: 1020,
  seconds: 1500,
  load: 2,
  attempt: async (days) => outcomeOf(await simulate(monthsOf(days))),
  async planted() {
    const [withoutFuse, withoutPeak] = await Promise.all([planted('no fuse', 1), planted('no peak', daysOfMonth)]);
    const found = Math.min(outcomeOf(withoutFuse).failed, outcomeOf(withoutPeak).failed);
    return { tried: 1 + daysOfMonth, failed: found };
  },
};
