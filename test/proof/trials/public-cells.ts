import { watchHistories } from '../../attacks/edges/public-cells.ts';
import type { Proof } from '../proof.ts';

const minSites = 3;

export const publicCells: Proof = {
  id: 'S31',
  what: 'Histories in which the map published a cell, or a type in it, of fewer than PUBLIC_MIN_SITES sites',
  full: 500,
  seconds: 60,
  load: 1,
  attempt: (count) => watchHistories(count, minSites),
  planted: () => watchHistories(3, minSites, minSites - 1),
};
