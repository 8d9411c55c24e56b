import { liveThrough } from '../home-months.ts';
import type { Proof } from '../proof.ts';

export const homeMonths: Proof = {
  id: 'S44',
  what: 'Months of generated homes in which plans save less than half of what knowing the future would save',
  full: 12,
  seconds: 400,
  attempt: (count) => liveThrough(count),
  planted: () => liveThrough(2, { isPeakIgnored: true }),
};
