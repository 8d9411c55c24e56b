import { may } from '#contract/access.ts';
import { releaseGateway } from '#contract/cloud/gateways.ts';
import type { Route } from '#contract/route.ts';
import { matrixRoutes, openMatrix, tryRoute } from '../../attacks/matrix.ts';
import { engines } from '../../cloud/open-cloud.ts';
import type { Outcome, Proof } from '../proof.ts';

/** Calls every route as everybody, on each database; a shorter trial omits routes at the end. */
async function tryCells(count: number): Promise<Outcome> {
  const notes: string[] = [];
  let tried = 0;
  const usable = engines.filter(({ skip }) => !skip);
  for (const [index, { engine }] of usable.entries()) {
    const enough = (count * (index + 1)) / usable.length;
    const matrix = await openMatrix(engine);
    try {
      for (const route of matrixRoutes) {
        if (tried >= enough) break;
        const { cells, wrong } = await tryRoute(route, matrix);
        tried += cells;
        notes.push(...wrong);
      }
    } finally {
      await matrix.cloud.close();
    }
  }
  return { tried, failed: notes.length, notes };
}

/** The same with a planted bug: every member who sees a gateway may release it. */
export async function tryPolicyChange(): Promise<Outcome> {
  const route: Route = releaseGateway;
  const { access } = route;
  route.access = may('read', 'gateway', 'params.serial');
  try {
    const matrix = await openMatrix('sqlite');
    try {
      const { cells, wrong } = await tryRoute(route, matrix);
      return { tried: cells, failed: wrong.length };
    } finally {
      await matrix.cloud.close();
    }
  } finally {
    route.access = access;
  }
}

export const authorizationCells: Proof = {
  id: 'S10',
  what: 'Authorization cells as declared',
  full: 10_000, // an upper bound: 4 248 on each database when this was written
  seconds: 20,
  load: 1,
  attempt: tryCells,
  planted: tryPolicyChange,
};
