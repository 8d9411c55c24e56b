import { parentPort, workerData } from 'node:worker_threads';
import type { PlanProblem } from '#contract/plan.ts';
import { loadSolver, solve } from './solve.ts';

const { problem, timeLimitMs }: { problem: PlanProblem; timeLimitMs: number } = workerData;
const began = performance.now();
const highs = await loadSolver();
parentPort!.postMessage(solve(highs, problem, { timeLimitMs, elapsed: () => performance.now() - began }));
