import { Worker } from 'node:worker_threads';
import type { PlanAnswer, PlanProblem } from '#contract/plan.ts';
import type { ThreadAnswer, ThreadInput, ThreadReply } from './solver-thread.ts';

/** Returns when the search ends on a machine that is much too slow; elsewhere its length depends on the problem only. */
export const defaultTimeLimitMs = ({ steps_s }: PlanProblem): number => (steps_s.length <= 1000 ? 20_000 : 18_000);

export type PlanOptions = {
  timeLimitMs?: number;
  /** called when the solver failed, and a coarser plan was made instead */
  onFailure?(error: Error): void;
  /** ends the search, and rejects */
  signal?: AbortSignal | undefined;
};

const graceMs = 2000; // in which the solver stops by itself
const keptMs = 30_000; // a loaded thread is kept for the next plan: it starts at once, and its code is compiled
const maxKeptBytes = 64 * 2 ** 20; // of the solver, which never returns memory by itself

/** Plans the storages of a site, in a thread. When the solver fails or is late without a plan, a coarser one is made. */
export async function plan(
  problem: PlanProblem,
  { timeLimitMs, onFailure, signal }: PlanOptions = {},
): Promise<PlanAnswer> {
  const began = performance.now();
  const limit = timeLimitMs ?? defaultTimeLimitMs(problem);
  const solved = await inThread({ problem, timeLimitMs: limit }, { withinMs: limit + graceMs, signal }).catch(
    (error: Error) => {
      signal?.throwIfAborted();
      onFailure?.(error);
      return undefined;
    },
  );
  const answer = solved ?? (await inThread({ problem }, { signal }));
  if (!answer) throw new Error('The thread that plans ended without a plan.');
  return { ...answer, ms: Math.round(performance.now() - began) };
}

let kept: { worker: Worker; end: NodeJS.Timeout; drop(): void } | undefined;

/** Runs the planner in a thread. Returns undefined if it has no plan in time. */
async function inThread(
  input: ThreadInput,
  { withinMs, signal }: { withinMs?: number; signal?: AbortSignal | undefined },
): Promise<ThreadAnswer | undefined> {
  signal?.throwIfAborted();
  const worker = await takeThread();
  const { promise, resolve, reject } = Promise.withResolvers<ThreadReply | undefined>();
  const abort = (): void => reject(signal?.reason);
  if (signal?.aborted) abort(); // while the thread was loaded
  signal?.addEventListener('abort', abort);
  const tooLate = withinMs === undefined ? undefined : setTimeout(() => resolve(undefined), withinMs);
  const onExit = (): void => resolve(undefined);
  worker.once('message', resolve).once('error', reject).once('exit', onExit);
  worker.postMessage(input);
  let reply: ThreadReply | undefined;
  try {
    reply = await promise;
    return reply?.answer;
  } finally {
    clearTimeout(tooLate);
    signal?.removeEventListener('abort', abort);
    worker.off('message', resolve).off('error', reject).off('exit', onExit);
    if (reply && reply.solverBytes <= maxKeptBytes && !kept) keepThread(worker);
    else await worker.terminate();
  }
}

/** Returns the thread of an earlier plan, or a new one once it is loaded. */
async function takeThread(): Promise<Worker> {
  if (kept) {
    const { worker, end, drop } = kept;
    kept = undefined;
    clearTimeout(end);
    worker.off('error', drop).off('exit', drop).ref();
    return worker;
  }
  const worker = new Worker(new URL('./solver-thread.ts', import.meta.url));
  await new Promise((resolve, reject) => {
    const onExit = (code: number): void =>
      reject(new Error(`The thread that plans ended with code ${code} before it was loaded.`));
    worker.once('message', resolve).once('error', reject).once('exit', onExit);
  });
  return worker;
}

/** Keeps a thread for the next plan, for a limited time; it does not keep the process from ending. */
function keepThread(worker: Worker): void {
  const drop = (): void => {
    if (kept?.worker === worker) kept = undefined;
    worker.terminate().catch(() => {}); // it ended by itself
  };
  worker.once('error', drop).once('exit', drop);
  worker.unref();
  kept = { worker, end: setTimeout(drop, keptMs).unref(), drop };
}
