import { liveThrough } from '../home-months.ts';
import type { Proof } from '../proof.ts';

export const homeMonths: Proof = {
  id: 'S44',
  what: 'Houses of the street, for a month, in which plans break a rule or save less than half of what knowing the future would save',
  full: 20,
  seconds: 300,
  load: 1,
  attempt: (count) => liveThrough(count),
  planted: () => liveThrough(2, { isPeakIgnored: true }),
};
