// One proof in a process of its own, started by run.ts with its id, the trials that were run before, and those that are wanted.
import type { Outcome } from './proof.ts';
import { proofs } from './proofs.ts';

/** Sent after each portion of trials, and at the end for the planted bug. */
export type Attempted = { trials: Outcome } | { planted: Outcome };

const [id, before, wanted] = process.argv.slice(2);
const { attempt, planted, portion = Number.POSITIVE_INFINITY } = proofs.find((proof) => proof.id === id)!;
const tell = (attempted: Attempted): Promise<void> => new Promise((sent) => process.send!(attempted, () => sent()));

process.once('disconnect', () => process.exit(1)); // the runner was killed

for (let left = Number(wanted) - Number(before); left > 0; ) {
  const trials = await attempt(Math.min(portion, left)).catch(
    (error): Outcome => ({ tried: 0, failed: 1, notes: [String(error)] }), // could not run
  );
  await tell({ trials });
  left = trials.failed > 0 || portion >= left ? 0 : left - trials.tried;
}
const noticed = await planted().then(
  ({ tried, failed }): Outcome => ({ tried, failed }), // its failures are expected
  (error): Outcome => ({ tried: 0, failed: 0, notes: [`the planted bug: ${error}`] }),
);
await tell({ planted: noticed });
process.exit(); // whatever a failed trial has left open
