import { askWhatIf } from '#contract/cloud/plans.ts';
import type { CloudMount } from '../access/door.ts';
import { type BillDeps, openHousehold } from '../bill/routes.ts';
import { createTurns } from '../bill/turns.ts';
import { whatIf } from './what-if.ts';

const maxWaitingOfOne = 3;
const maxWaiting = 20; // of all: each takes a processor for a second or two

export function whatIfRoutes(mount: CloudMount, deps: BillDeps): void {
  const ownTurn = createTurns(maxWaitingOfOne, `${maxWaitingOfOne} of your questions are being calculated.`);
  const turn = createTurns(maxWaiting, 'The platform is calculating for others. Try again in a minute.');

  mount(askWhatIf, async ({ params, body, db, now, caller }) => {
    const home = await openHousehold(db, params.site_id, now, deps);
    return ownTurn(caller.identityId, () => turn('all', () => whatIf(home, body)));
  });
}
