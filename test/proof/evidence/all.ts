import type { Evidence } from '../evidence.ts';
import { attacksOnTheCloud } from './attacks-cloud.ts';
import { attacksOnTheEdges } from './attacks-edges.ts';
import { attacksOnOAuth } from './attacks-oauth.ts';
import { faultsOfTheWhole } from './faults.ts';

export const evidence: readonly Evidence[] = [
  ...attacksOnTheCloud,
  ...attacksOnTheEdges,
  ...attacksOnOAuth,
  ...faultsOfTheWhole,
];
