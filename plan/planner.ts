import { Worker } from 'node:worker_threads';
import type { PlanAnswer, PlanProblem } from '#contract/plan.ts';
import { planByLevels } from './dynamic-program.ts';
import { explain } from './reasons.ts';
import { costOf, gridOf, hoursOf, levelsOf, missesOf, type Schedule } from './schedule.ts';
import type { Solution } from './solve.ts';

/** Returns how long the solver may take by default: near plans are needed at once, long ones may take longer. */
export const defaultTimeLimitMs = ({ steps_s }: PlanProblem): number => (steps_s.length <= 1000 ? 10_000 : 18_000);

export type PlanOptions = {
  timeLimitMs?: number;
  /** called when the solver failed, and a coarser plan was made instead */
  onFailure?(error: Error): void;
};

const graceMs = 2000; // in which the solver stops by itself

/**
 * Plans the storages of a site. The solver works in a thread of its own, whose memory is returned when it ends. When it fails
 * or is late without a plan, a coarser plan is made here.
 */
export async function plan(problem: PlanProblem, { timeLimitMs, onFailure }: PlanOptions = {}): Promise<PlanAnswer> {
  const began = performance.now();
  const limit = timeLimitMs ?? defaultTimeLimitMs(problem);
  const solved = await solveInThread(problem, limit, onFailure);
  const { schedule, isProven, gap } = solved ?? { schedule: planByLevels(problem), isProven: false, gap: 1 };
  return {
    status: isProven ? 'optimal' : 'time_limit',
    gap,
    ...answerOf(problem, schedule),
    ms: Math.round(performance.now() - began),
  };
}

/** Returns steps, cost and broken rules of a schedule. */
export function answerOf(problem: PlanProblem, schedule: Schedule): Pick<PlanAnswer, 'steps' | 'cost' | 'relaxed'> {
  const hours = hoursOf(problem);
  const grid = gridOf(problem, schedule);
  const levels = problem.storages.map((storage, n) => levelsOf(storage, schedule.storages[n]!, hours));
  const reasons = explain(problem, schedule);
  const steps = hours.map((_, t) => ({
    grid_w: grid[t]!,
    solar_used_w: schedule.solarUsed[t]!,
    storages: Object.fromEntries(
      problem.storages.map(({ id }, n) => {
        const { charge, discharge } = schedule.storages[n]!;
        return [id, { charge_w: charge[t]!, discharge_w: discharge[t]!, wh: levels[n]![t]! }];
      }),
    ),
    reason: reasons[t]!,
  }));
  return { steps, cost: costOf(problem, schedule), relaxed: missesOf(problem, schedule) };
}

async function solveInThread(
  problem: PlanProblem,
  timeLimitMs: number,
  onFailure: PlanOptions['onFailure'],
): Promise<Solution | undefined> {
  const worker = new Worker(new URL('./solver-thread.ts', import.meta.url), { workerData: { problem, timeLimitMs } });
  const { promise, resolve } = Promise.withResolvers<Solution | undefined>();
  const tooLate = setTimeout(() => resolve(undefined), timeLimitMs + graceMs);
  worker.once('message', resolve);
  worker.once('error', (error: Error) => {
    onFailure?.(error);
    resolve(undefined);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(tooLate);
    await worker.terminate();
  }
}
