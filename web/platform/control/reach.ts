const usualMostW = 5000;
const coarseW = 100;

export type Reach = { mostW: number; isKnown: boolean };

/** How far the slider goes: what the device can do where it tells, else as far as most homes need. */
export function reachOf(ratedW: number | undefined): Reach {
  return ratedW !== undefined && ratedW > 0 ? { mostW: ratedW, isKnown: true } : { mostW: usualMostW, isKnown: false };
}

/** What was typed, when the device turns out to do at most so much. */
export const withinReach = (typed: string, { mostW, isKnown }: Reach): string =>
  isKnown && Number(typed) > mostW ? String(mostW) : typed;

/** A power to begin with: a third of the way, in round figures. */
export const firstPower = (mostW: number): number =>
  Math.min(mostW, Math.max(coarseW, Math.round(mostW / 3 / coarseW) * coarseW));
