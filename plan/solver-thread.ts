import { parentPort } from 'node:worker_threads';
import type { PlanAnswer, PlanProblem } from '#contract/plan.ts';
import { answerOf } from './answer.ts';
import { calmed } from './calm.ts';
import { planByLevels } from './dynamic-program.ts';
import { loadSolver, type Solution, solve } from './solve.ts';

/** Without a time limit, the plan is made without the solver. */
export type ThreadInput = { problem: PlanProblem; timeLimitMs?: number };

export type ThreadAnswer = Omit<PlanAnswer, 'ms'>;

/** An answer, if it was found in time, and the memory that the solver holds. */
export type ThreadReply = { answer: ThreadAnswer | undefined; solverBytes: number };

const highs = await loadSolver();

parentPort?.on('message', (input: ThreadInput) => {
  const found = find(input);
  const answer = found && toAnswer(input.problem, found);
  const reply: ThreadReply = { answer, solverBytes: highs.memoryBytes };
  parentPort?.postMessage(reply);
});
parentPort?.postMessage('loaded');

function find({ problem, timeLimitMs }: ThreadInput): Solution | undefined {
  if (timeLimitMs === undefined) return { schedule: planByLevels(problem), isProven: false, gap: 1 };
  const began = performance.now();
  return solve(highs, problem, { timeLimitMs, elapsed: () => performance.now() - began });
}

function toAnswer(problem: PlanProblem, { schedule, isProven, gap }: Solution): ThreadAnswer {
  return { status: isProven ? 'optimal' : 'time_limit', gap, ...answerOf(problem, calmed(problem, schedule)) };
}
