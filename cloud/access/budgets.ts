import type { FastifyReply } from 'fastify';
import type { Budget } from '#contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import { createBudget } from '#lib/http/budget.ts';
import type { CloudConfig } from '../config.ts';

/** Takes one request from one of a caller's budgets and tells them what is left. */
export type SpendFrom = (budget: Budget, key: string, reply: FastifyReply) => void;

export function createBudgets(config: CloudConfig, clock: Clock): SpendFrom {
  const limits: Record<Budget, number> = {
    ordinary: config.RATE_ORDINARY,
    register: config.RATE_REGISTER,
    login: config.RATE_LOGIN,
    claim: config.RATE_CLAIM,
    control: config.RATE_CONTROL,
  };
  const budgets = new Map(Object.entries(limits).map(([name, limit]) => [name, createBudget(name, limit, clock)]));
  return (budget, key, reply) => budgets.get(budget)!(key, reply);
}
