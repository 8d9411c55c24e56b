import type { Bug } from '../planted/bug.ts';
import { bugs } from '../planted/bugs.ts';
import { plantAll } from '../planted/plant.ts';
import type { Outcome, Proof } from '../proof.ts';

/** Small bugs in copies of the product, each of which the tests have to notice. */
export const plantedBugs: Proof = {
  id: 'S39',
  what: 'bugs planted in the product that no test notices',
  full: bugs.length,
  seconds: 1500,
  attempt: (count) => outcomeOf(spread(count)),
  // The trial itself is wrong when a change of nothing passes for noticed.
  planted: () => outcomeOf(spread(1).map((bug) => ({ ...bug, to: bug.from }))),
};

async function outcomeOf(chosen: readonly Bug[]): Promise<Outcome> {
  const missed = (await plantAll(chosen)).filter(({ verdict }) => verdict !== 'noticed');
  return {
    tried: chosen.length,
    failed: missed.length,
    notes: missed.map(({ bug, verdict }) => `${bug.id}: ${verdict} (${bug.file}, ${bug.noticedBy})`),
  };
}

/** So many, from all parts of the list. */
const spread = (count: number): Bug[] =>
  Array.from({ length: Math.min(count, bugs.length) }, (_, n) => bugs[Math.floor((n * bugs.length) / count)]!);
