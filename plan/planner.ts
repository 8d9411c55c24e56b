import { Worker } from 'node:worker_threads';
import type { PlanAnswer, PlanProblem } from '#contract/plan.ts';
import type { ThreadAnswer, ThreadInput } from './solver-thread.ts';

/** Returns how long the solver may take by default: near plans are needed at once, long ones may take longer. */
export const defaultTimeLimitMs = ({ steps_s }: PlanProblem): number => (steps_s.length <= 1000 ? 10_000 : 18_000);

export type PlanOptions = {
  timeLimitMs?: number;
  /** called when the solver failed, and a coarser plan was made instead */
  onFailure?(error: Error): void;
};

const graceMs = 2000; // in which the solver stops by itself

/**
 * Plans the storages of a site, in a thread whose memory is returned when it ends. When the solver fails or is late without a
 * plan, another thread makes a coarser one.
 */
export async function plan(problem: PlanProblem, { timeLimitMs, onFailure }: PlanOptions = {}): Promise<PlanAnswer> {
  const began = performance.now();
  const limit = timeLimitMs ?? defaultTimeLimitMs(problem);
  const solved = await inThread({ problem, timeLimitMs: limit }, limit + graceMs).catch((error: Error) => {
    onFailure?.(error);
    return undefined;
  });
  const answer = solved ?? (await inThread({ problem }));
  if (!answer) throw new Error('The thread that plans ended without a plan.');
  return { ...answer, ms: Math.round(performance.now() - began) };
}

/** Runs the planner in a thread. Returns undefined if it has no plan in time. */
async function inThread(workerData: ThreadInput, withinMs?: number): Promise<ThreadAnswer | undefined> {
  const worker = new Worker(new URL('./solver-thread.ts', import.meta.url), { workerData });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer | undefined>();
  const tooLate = withinMs === undefined ? undefined : setTimeout(() => resolve(undefined), withinMs);
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => resolve(undefined));
  try {
    return await promise;
  } finally {
    clearTimeout(tooLate);
    await worker.terminate();
  }
}
