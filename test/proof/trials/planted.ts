import type { Bug } from '../planted/bug.ts';
import { bugs, harmless } from '../planted/bugs.ts';
import { plantAll } from '../planted/plant.ts';
import type { Outcome, Proof } from '../proof.ts';

/** Plants each bug and runs the test that has to notice it. */
export const plantedBugs: Proof = {
  id: 'S39',
  what: 'planted bugs that no test notices',
  full: bugs.length,
  seconds: 500,
  load: 1,
  attempt: (count) => outcomeOf(evenly(count)),
  planted: () => outcomeOf([harmless]),
};

async function outcomeOf(chosen: readonly Bug[]): Promise<Outcome> {
  const missed = (await plantAll(chosen)).filter(({ verdict }) => verdict !== 'noticed');
  return {
    tried: chosen.length,
    failed: missed.length,
    notes: missed.map(({ bug, verdict }) => `${bug.id}: ${verdict} (${bug.module}, ${bug.noticedBy})`),
  };
}

/** That many bugs, from all parts of the list. */
const evenly = (count: number): Bug[] =>
  Array.from({ length: Math.min(count, bugs.length) }, (_, n) => Math.floor((n * bugs.length) / count)).flatMap((at) =>
    bugs.slice(at, at + 1),
  );
