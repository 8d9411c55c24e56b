import { askWhatIf } from '#contract/cloud/plans.ts';
import type { CloudMount } from '../access/door.ts';
import { type BillDeps, openHousehold } from '../bill/routes.ts';
import type { Household } from '../bill/site-bill.ts';
import { createTurns } from '../bill/turns.ts';
import { readGoals } from '../plans/goals.ts';
import { unpackPlan } from '../plans/stored-plan.ts';
import type { Db } from '../store/engine.ts';
import { findLastPlan } from '../store/plans.ts';
import { whatIf } from './what-if.ts';

const maxWaitingOfOne = 3;
const maxWaiting = 20; // of all: each takes a processor for a second or two

export function whatIfRoutes(mount: CloudMount, deps: BillDeps): void {
  const ownTurn = createTurns(maxWaitingOfOne, `${maxWaitingOfOne} of your questions are being calculated.`);
  const turn = createTurns(maxWaiting, 'The platform is calculating for others. Try again in a minute.');

  mount(askWhatIf, async ({ params, body, db, now, caller }) => {
    const home = await openHousehold(db, params.site_id, now, deps);
    const battery = {
      reserve_pct: (await readGoals(db, home.site.id)).reserve_pct,
      capacity_wh: await plannedWh(db, home),
    };
    return ownTurn(caller.identityId, () => turn('all', () => whatIf(home, body, battery)));
  });
}

/** Returns the capacity of the batteries in the last plan: reported by the devices or entered. */
async function plannedWh(db: Db, { site }: Household): Promise<number | undefined> {
  const last = await findLastPlan(db, site.id);
  const batteries = last ? unpackPlan(last.result).storages.filter(({ kind }) => kind === 'battery') : [];
  return batteries.length > 0 ? batteries.reduce((sum, { capacity_wh }) => sum + capacity_wh, 0) : undefined;
}
