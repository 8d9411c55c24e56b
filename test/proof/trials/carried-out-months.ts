import { carryOutMonths } from '../carried-out-months.ts';
import type { Proof } from '../proof.ts';

export const carriedOutMonths: Proof = {
  id: 'S45',
  what: 'Months of houses of the street in which plans that a gateway carried out save less than 90 % of what the replay of the month saves, or 85 % with a sauna at unknown hours',
  full: 6,
  seconds: 1200,
  load: 1,
  attempt: (count) => carryOutMonths(count),
  planted: () => carryOutMonths(1, { countedDays: 0 }),
};
