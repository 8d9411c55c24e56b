import * as contract from '#contract/cloud/plans.ts';
import { type CloudMount, heldIn } from '../access/door.ts';
import { audit } from '../organizations/audit.ts';
import { findPlanSite, listPlanDers, savePlanSite } from '../store/plans.ts';
import { getSite } from '../store/sites.ts';
import { changeGoals, readGoals } from './goals.ts';
import { readHistory } from './history.ts';
import type { PlanDeps } from './make-plan.ts';
import { createPreview } from './preview.ts';
import { readPlan } from './stored-plan.ts';

export function planRoutes(mount: CloudMount, deps: PlanDeps): void {
  const preview = createPreview(deps);

  mount(contract.getPlanGoals, ({ params, db }) => readGoals(db, params.site_id));

  mount(contract.updatePlanGoals, async (context) => {
    const { params, body, db, now } = context;
    const { site_id, ...goals } = await readGoals(db, params.site_id);
    const changed = changeGoals(goals, body, await listPlanDers(db, site_id));
    const isOn = (await findPlanSite(db, site_id))?.is_on === 1;
    await savePlanSite(db, {
      ...newPlanSite,
      site_id,
      goals: JSON.stringify(changed),
      is_on: changed.mode === 'off' && !isOn ? 0 : 1, // plans already sent are withdrawn first
      due_at: now,
      because: 'Goals were changed.',
    });
    const details = { fields: Object.keys(body).map((name) => `plan.${name}`), mode: changed.mode };
    await audit(context, heldIn(context, 'site').orgId, 'site.changed', site_id, details);
    return { site_id, ...changed };
  });

  mount(contract.getSitePlan, async ({ params, db, now }) => readPlan(db, await readGoals(db, params.site_id), now));

  mount(contract.previewPlan, async ({ params, body, db, now, caller }) =>
    preview({ identityId: caller.identityId, goals: await readGoals(db, params.site_id), changes: body, now }),
  );

  mount(contract.getPlanHistory, async ({ params, query, db, now }) => {
    const { id, timezone } = await getSite(db, params.site_id);
    return readHistory(db, { siteId: id, timeZone: timezone ?? 'UTC', ...query, now });
  });
}

const newPlanSite = { claimed_until: 0, failures: 0, status: 'waiting', message: null, seen: null } as const;
