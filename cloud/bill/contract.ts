import { getContract, type SiteContract, updateContract } from '#contract/cloud/contract.ts';
import { contractErrors } from '#contract/price/contract.ts';
import { fieldsProblem } from '#contract/problem.ts';
import { type CloudMount, heldIn } from '../access/door.ts';
import { audit } from '../organizations/audit.ts';
import { findContract, saveContract } from '../store/contracts.ts';
import type { Db } from '../store/engine.ts';
import { replan } from '../store/plans.ts';

/** Reads the contract of a site; without periods until it is set. */
export async function readContract(db: Db, siteId: string): Promise<SiteContract> {
  const stored = await findContract(db, siteId);
  return { site_id: siteId, periods: stored ? JSON.parse(stored.periods) : [] };
}

export function contractRoutes(mount: CloudMount): void {
  mount(getContract, ({ params, db }) => readContract(db, params.site_id));

  mount(updateContract, async (context) => {
    const { params, body, db, now } = context;
    const { periods } = body;
    const errors = contractErrors(periods, 'body.periods');
    if (errors.length > 0) throw fieldsProblem('unprocessable', errors);
    await saveContract(db, { site_id: params.site_id, periods: JSON.stringify(periods), changed_at: now });
    await replan(db, params.site_id, now);
    const fields = ['contract'];
    await audit(context, heldIn(context, 'site').orgId, 'site.changed', params.site_id, { fields });
    return { site_id: params.site_id, periods };
  });
}
