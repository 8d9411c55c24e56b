import type { Evidence } from '../evidence.ts';
import { attacksOnAccess } from './attacks-access.ts';
import { attacksOnOwnership } from './attacks-ownership.ts';

export const attacksOnTheCloud: readonly Evidence[] = [...attacksOnOwnership, ...attacksOnAccess];
