import { median } from './median.ts';

/** A target, printed beside the result. */
export type Goal = { of: 'value' | 'ratio' } & ({ atMost: number } | { atLeast: number });

export type Finding = {
  what: string;
  /** selects one of several figures with the same name */
  part?: string | undefined;
  value: number;
  unit: string;
  /** name and value of the comparison */
  against: string;
  ratio: number | null;
  rounds: number;
  goal?: Goal | undefined;
};

type Samples = { name: string; values: readonly number[] };

/** Returns the median, and the median of the ratios of single rounds, in which a slow round cancels out. */
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

/** Returns the median of a figure without a comparison. */
export function measured(what: string, unit: string, values: readonly number[], goal?: Goal): Finding {
  return { what, value: round(median(values)), unit, against: '', ratio: null, rounds: values.length, goal };
}

/** Rounds to three digits: more would be noise. */
export const round = (value: number): number => Number(value.toPrecision(3));
