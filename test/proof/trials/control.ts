import { isGood, runTrials } from '../../faults/control-run.ts';
import type { Outcome, Proof } from '../proof.ts';

const beside = 16; // each waits most of the time

function outcomeOf(outcomes: Awaited<ReturnType<typeof runTrials>>): Outcome {
  const bad = outcomes.filter((outcome) => !isGood(outcome));
  const latest = Math.max(...outcomes.map(({ backAfterMs }) => backAfterMs ?? Number.POSITIVE_INFINITY));
  const applied = outcomes.filter(({ isApplied }) => isApplied).length;
  return {
    tried: outcomes.length,
    failed: bad.length,
    notes: [
      `${applied} of ${outcomes.length} commands were applied, the latest was back ${latest} ms after its time`,
      ...bad.map((outcome) => JSON.stringify(outcome)),
    ],
  };
}

export const control: Proof = {
  id: 'S5',
  what: 'Control runs that were not applied, or did not end in self-consumption 10 s after their lease',
  full: 400,
  seconds: 350,
  load: 'alone',
  attempt: async (runs) => outcomeOf(await runTrials(runs, beside)),
  async planted() {
    const outcomes = await runTrials(3, 3, 'no-watchdog', [
      'gateway killed',
      'gateway paused for good',
      'plan: gateway killed',
    ]);
    return outcomeOf(outcomes.filter(({ isApplied }) => isApplied));
  },
};
