import { parentPort, workerData } from 'node:worker_threads';
import type { PlanAnswer, PlanProblem } from '#contract/plan.ts';
import { answerOf } from './answer.ts';
import { planByLevels } from './dynamic-program.ts';
import { loadSolver, type Solution, solve } from './solve.ts';

/** Without a time limit, the plan is made without the solver. */
export type ThreadInput = { problem: PlanProblem; timeLimitMs?: number };

export type ThreadAnswer = Omit<PlanAnswer, 'ms'>;

const { problem, timeLimitMs }: ThreadInput = workerData;
const began = performance.now();
const solution = await find();
parentPort?.postMessage(solution && toAnswer(solution));

async function find(): Promise<Solution | undefined> {
  if (timeLimitMs === undefined) return { schedule: planByLevels(problem), isProven: false, gap: 1 };
  return solve(await loadSolver(), problem, { timeLimitMs, elapsed: () => performance.now() - began });
}

function toAnswer({ schedule, isProven, gap }: Solution): ThreadAnswer {
  return { status: isProven ? 'optimal' : 'time_limit', gap, ...answerOf(problem, schedule) };
}
