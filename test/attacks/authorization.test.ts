import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Access, can, roles } from '#contract/access.ts';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import type { Route } from '#contract/route.ts';
import { engines } from '../cloud/open-cloud.ts';
import { tryPolicyChange } from '../proof/trials/authorization.ts';
import { type Matrix, matrixRoutes, nameOf, openMatrix, tryRoute } from './matrix.ts';
import { leastRole } from './policy.ts';

for (const { engine, skip } of engines) {
  describe(`the authorization matrix on ${engine}`, { skip }, () => {
    let matrix: Matrix;
    let tried = 0;
    before(async () => {
      matrix = await openMatrix(engine);
    });
    after(async () => {
      console.log(`${tried} cells tried on ${engine}`);
      await matrix.cloud.close();
    });

    for (const route of matrixRoutes) {
      test(nameOf(route), async () => {
        const { cells, wrong } = await tryRoute(route, matrix);
        tried += cells;
        assert.deepEqual(wrong, []);
      });
    }

    test('it has at least two thousand cells', () => assert.ok(tried >= 2000, `${tried}`));
  });
}

test('a route that requires less than was reviewed is detected', async () => {
  assert.ok((await tryPolicyChange()).failed > 0);
});

test('routes declare the access that was reviewed', () => {
  assert.deepEqual(Object.fromEntries(cloudRoutes.map((route) => [nameOf(route), declared(route.access)])), leastRole);
});

test('a route that does not declare its access fails the start', async () => {
  const { createMount } = await import('#lib/http/mount.ts');
  const mount = createMount({} as never, {} as never);
  const { access, ...open } = cloudRoutes[0]!;
  assert.throws(() => mount(open as Route, () => undefined as never), /has no access rule/);
});

function declared(access: Access): string {
  if (typeof access === 'string') return access === 'public' ? 'anyone' : access;
  const [need] = access.needs;
  if (need) return roles.find((role) => can(role, need.right))!;
  return access.identity.includes('gateway') ? 'identity' : 'holder';
}
