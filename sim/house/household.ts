import { minuteMs } from '#contract/time.ts';
import { noise } from './noise.ts';

const bump = (hour: number, around: number, width: number): number => Math.exp(-(((hour - around) / width) ** 2));

/** What is switched on in the house, in W: a base, breakfast, dinner, and kettles in between. */
export function householdLoad(at: number, hour: number, seed: number): number {
  const people = 1100 * bump(hour, 7.3, 1) + 1900 * bump(hour, 18.8, 1.8) + 250 * bump(hour, 13, 4);
  const restless = 0.6 + 0.8 * noise(seed + 3, at, 4 * minuteMs);
  const fridge = noise(seed + 4, at, 20 * minuteMs) > 0.5 ? 90 : 0;
  const kettle = noise(seed + 5, at, 150_000) > 0.93 ? 1800 : 0;
  return 220 + people * restless + fridge + kettle * (people > 300 ? 1 : 0);
}
