import type { GoalChanges, PlanGoals, SitePlan } from '#contract/cloud/plans.ts';
import { Problem } from '#contract/problem.ts';
import { newId } from '#lib/id.ts';
import { listPlanDers } from '../store/plans.ts';
import { changeGoals } from './goals.ts';
import { makePlan, type PlanDeps, readKnowledge } from './make-plan.ts';
import { planBody } from './plan-body.ts';

type Preview = { plan: SitePlan; cost: number; current_cost: number; difference: number };

type Asked = { identityId: string; goals: PlanGoals; changes: GoalChanges; now: number };

const maxWaiting = 20; // each takes a second or two of a processor

/** Calculates plans with changed goals, one after the other, and at most one for each identity. Stores nothing. */
export function createPreview(deps: PlanDeps) {
  const asking = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  async function compare({ goals, changes, now }: Asked): Promise<Preview> {
    const { site_id, ...current } = goals;
    const changed = changeGoals(current, changes, await listPlanDers(deps.store.db, site_id));
    const known = await readKnowledge(deps, goals, now);
    const before = await makePlan(known, deps);
    const after = await makePlan({ ...known, goals: { site_id, ...changed } }, deps);
    const { currency, is_simulated: isSimulated } = known.prices;
    const made = { id: newId('pln', now), madeAt: now, because: 'Other goals were tried.', currency, isSimulated };
    const body = planBody(after.found, after.answer, made);
    const currentCost = Math.round(before.answer.cost.total * 100) / 100;
    return {
      plan: { site_id, status: 'current', mode: changed.mode, message: null, plan: body, progress: null },
      cost: body.cost.total,
      current_cost: currentCost,
      difference: Math.round((body.cost.total - currentCost) * 100) / 100 + 0,
    };
  }

  return async (asked: Asked): Promise<Preview> => {
    const { identityId } = asked;
    if (asking.has(identityId))
      throw new Problem('rate_limited', 'Your last preview is still being calculated.', { retryAfterSeconds: 1 });
    if (asking.size >= maxWaiting)
      throw new Problem('unavailable', 'Too many previews are being calculated.', { retryAfterSeconds: 10 });
    asking.add(identityId);
    const result = last.then(() => compare(asked));
    last = result.catch(() => {});
    try {
      return await result;
    } finally {
      asking.delete(identityId);
    }
  };
}
