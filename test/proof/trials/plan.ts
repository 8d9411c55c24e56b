import { type DaysResult, type PlantedMistake, simulateDays } from '#gateway/plan/testing/simulated-days.ts';
import type { Outcome, Proof } from '../proof.ts';

const daysOfMonth = 30;
const maxExceeded_fract = 0.02;

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

/** Lets the executor follow plans in one house after the other, each for a month. */
const simulate = (days: number): DaysResult[] =>
  Array.from({ length: Math.ceil(days / daysOfMonth) }, (_, n) =>
    simulateDays(n + 1, Math.min(daysOfMonth, days - n * daysOfMonth)),
  );

const planted = (mistake: PlantedMistake, days: number): number => outcomeOf([simulateDays(7, days, mistake)]).failed;

export const plan: Proof = {
  id: 'S43',
  what: 'Simulated days of a plan: seconds in which a phase exceeds the fuse by 5 % for more than 5 s, and months above the planned peak beyond 2 %',
  full: 1020,
  seconds: 950,
  load: 1,
  attempt: async (days) => outcomeOf(simulate(days)),
  planted: async () => ({
    tried: 1 + daysOfMonth,
    failed: Math.min(planted('no fuse', 1), planted('no peak', daysOfMonth)),
  }),
};
