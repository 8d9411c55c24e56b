import type { Proof } from './proof.ts';
import { authorizationCells } from './trials/authorization.ts';
import { crossSite } from './trials/browser.ts';
import { canaryProofs } from './trials/canaries.ts';
import { carriedOutMonths } from './trials/carried-out-months.ts';
import { control } from './trials/control.ts';
import { corruption } from './trials/corruption.ts';
import { generatedHomes } from './trials/energy.ts';
import { flaky } from './trials/flaky.ts';
import { forbiddenTargets } from './trials/forbidden-targets.ts';
import { framesProofs, requestsProof } from './trials/fuzz.ts';
import { homeMonths } from './trials/home-months.ts';
import { kills } from './trials/kills.ts';
import { plan } from './trials/plan.ts';
import { plantedBugs } from './trials/planted.ts';
import { powerCut } from './trials/power-cut.ts';
import { publicCells } from './trials/public-cells.ts';
import { racingSchedules } from './trials/races.ts';
import { slowSenders } from './trials/slow-senders.ts';
import { mixedLoad } from './trials/soak.ts';
import { reconnectStorm } from './trials/storm.ts';

/**
 * In the order of execution: first those that nothing may run beside, then the hour of mixed load with the others beside it, and at
 * last the reruns of all tests.
 */
export const proofs: readonly Proof[] = [
  slowSenders,
  reconnectStorm,
  control,
  requestsProof,
  mixedLoad,
  authorizationCells,
  racingSchedules,
  forbiddenTargets,
  publicCells,
  crossSite,
  ...canaryProofs,
  corruption,
  powerCut,
  ...kills,
  plantedBugs,
  plan,
  homeMonths,
  carriedOutMonths,
  generatedHomes,
  ...framesProofs,
  flaky,
];
