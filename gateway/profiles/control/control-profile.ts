import type { Confidence } from '../profile.ts';

/** What can be commanded: charging and discharging, also of a car; and the limit of generation. */
export type Part = 'battery' | 'pv';

/**
 * Numbers that a sequence needs: ratings, limits, places, and what has to be put back. Known before the first write.
 * `rated_W` is the rated power of the inverter; `charge_W` and `discharge_W` are the most that the device itself allows.
 */
export type Facts = Readonly<Record<string, number>>;

/** What is asked of one part. */
export type Asked = {
  /** battery: + charge; pv: the most that is generated */
  W: number;
  /** what was asked before, 0 when nothing was */
  previousW: number;
  /** how many times this control has been written or refreshed */
  count: number;
};

/** What every description of control says of itself. */
export type ControlInfo = {
  profile: string;
  /** of the whole sequence; anything but high is for those who ask for it */
  confidence: Confidence;
  /** parts that can be commanded only when the rated power of the inverter is known */
  needsRated?: readonly Part[];
  /** what is limited is the power of the panels, which so stands for a rating that nobody has set */
  limitsPanels?: true;
  /** less generation than this cannot be taken back */
  leastGeneration_W?: number;
  /** the device forgets what it was told; it is told again this often */
  refreshMs?: number;
  /** what of it; the battery unless it says more. A limit that stays is written once, as memory wears out. */
  forgets?: readonly Part[];
  /** how long after the last word it goes back by itself; without it only we bring it back */
  revertsAfterMs?: number;
};

/** The device does not tell what its sequence needs. */
export class MissingFact extends Error {
  override name = 'MissingFact';
}

/** The fact, which a sequence cannot do without. */
export function need(facts: Facts, name: string): number {
  const value = facts[name];
  if (value === undefined)
    throw new MissingFact(`The device does not tell its ${name}, without which it is left alone.`);
  return value;
}

/** The same of what cannot be zero. */
export function needPositive(facts: Facts, name: string): number {
  const value = need(facts, name);
  if (value <= 0) throw new MissingFact(`The device says that its ${name} is ${value}; so it is left alone.`);
  return value;
}
