import { median } from './median.ts';

/** A target, printed beside the result. */
export type Goal = { of: 'value' | 'ratio' } & ({ atMost: number } | { atLeast: number });

export type Finding = {
  what: string;
  /** which of several figures under the same words */
  part?: string | undefined;
  value: number;
  unit: string;
  /** what it is compared with, and the value of that */
  against: string;
  ratio: number | null;
  rounds: number;
  goal?: Goal | undefined;
};

type Samples = { name: string; values: readonly number[] };

/** The median, and the median of the ratios that single rounds had: what slowed a whole round down cancels out. */
export function compared(what: string, unit: string, ours: readonly number[], theirs: Samples, goal?: Goal): Finding {
  return {
    what,
    value: round(median(ours)),
    unit,
    against: `${theirs.name}: ${round(median(theirs.values))}`,
    ratio: round(median(ours.map((value, index) => value / theirs.values[index]!))),
    rounds: ours.length,
    goal,
  };
}

/** The median of what stands for itself. */
export function measured(what: string, unit: string, values: readonly number[], goal?: Goal): Finding {
  return { what, value: round(median(values)), unit, against: '', ratio: null, rounds: values.length, goal };
}

/** To three digits: more would be noise. */
export const round = (value: number): number => Number(value.toPrecision(3));
