import { corrupt, trusting } from '../../faults/corruption.ts';
import type { Outcome, Proof } from '../proof.ts';

const outcomeOf = ({ tried, wrong }: Awaited<ReturnType<typeof corrupt>>): Outcome => ({
  tried,
  failed: wrong.length,
  notes: wrong.slice(0, 10).map((corruption) => JSON.stringify(corruption)),
});

export const corruption: Proof = {
  id: 'S4',
  what: 'Damaged bits and missing ends of settings, keys and waiting samples that went unnoticed',
  full: 12_000, // every one of them
  seconds: 60,
  load: 1,
  attempt: async (places) => outcomeOf(await corrupt(places)),
  async planted() {
    const { tried, wrong } = await corrupt(400, true);
    const ofEach = trusting.map((name) => wrong.filter(({ subject }) => subject === name).length);
    return { tried, failed: Math.min(...ofEach) };
  },
};
