import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Store } from '#cloud/store/store.ts';
import { type Access, can, type Need, roles } from '#contract/access.ts';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import type { Route } from '#contract/route.ts';
import { engines, openCloud, type Reply, type TestCloud } from '../cloud/open-cloud.ts';
import { leastRole } from './policy.ts';
import { type Names, requestOf } from './requests.ts';
import { type Actor, buildWorld, type Relation, relations, type World } from './world.ts';

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

// They take a proof of their own: a signed challenge (identity.test.ts tries it), a request of a browser, the id of an
// object that has no policy of its own (test/oauth tries those).
const withOwnProof = [
  'POST /auth/verify',
  'DELETE /identity/consents/{consent_id}',
  'DELETE /organizations/{org_id}/oauth-clients/{client_id}',
];
const tried = cloudRoutes.filter((route) => !route.oauthErrors && !withOwnProof.includes(nameOf(route)));

const needsOf = ({ access }: Route): readonly Need[] => (typeof access === 'object' ? access.needs : []);

for (const { engine, skip } of engines) {
  describe(`the authorization matrix on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let world: World;
    let cells = 0;
    before(async () => {
      cloud = await openCloud({ engine });
      world = await buildWorld(cloud);
      rehearse(cloud.store);
    });
    after(async () => {
      console.log(`${cells} cells tried on ${engine}`);
      await cloud.close();
    });

    for (const route of tried) {
      test(nameOf(route), async () => {
        const absent = new Map<string, Reply['body']>();
        for (const [name, actor] of Object.entries(world.actors)) {
          for (const relation of relations) {
            const names = namesFor(route, world, relation);
            if (!names) continue;
            const { method, url, body } = requestOf(route, names, actor, cloud);
            const reply = await cloud.call(method, url, { as: actor, body });
            const where = `${name}, ${relation}: ${reply.status} ${JSON.stringify(reply.body)}`;
            assert.equal(verdictOf(reply), expected(route, actor, relation, world), where);
            cells++;

            if (reply.status !== 404) continue;
            const { request_id, ...rest } = reply.body;
            const first = absent.get(name) ?? rest;
            absent.set(name, first);
            assert.deepEqual(rest, first, `${where}: not there and not visible must read alike`);
          }
        }
      });
    }
  });
}

test('what routes declare is what was reviewed', () => {
  assert.deepEqual(Object.fromEntries(cloudRoutes.map((route) => [nameOf(route), declared(route.access)])), leastRole);
});

test('a route that does not say who may call it does not start', async () => {
  const { createMount } = await import('#lib/http/mount.ts');
  const mount = createMount({} as never, {} as never);
  const { access, ...open } = cloudRoutes[0]!;
  assert.throws(() => mount(open as Route, () => undefined as never), /who may call/);
});

/** Every change is made, answered, and taken back, so that one world serves all cells. */
function rehearse(store: Store): void {
  class Rehearsed {
    readonly result: unknown;

    constructor(result: unknown) {
      this.result = result;
    }
  }
  store.write = async (work) => {
    try {
      return await store.transaction(async (db) => {
        throw new Rehearsed(await work({ db, afterCommit: () => {}, announce: async () => {} }));
      });
    } catch (error) {
      if (error instanceof Rehearsed) return error.result as never;
      throw error;
    }
  };
}

/** The objects a request names in this relation; undefined when such an object cannot be. */
function namesFor(route: Route, { targets }: World, relation: Relation): Names | undefined {
  const kinds = needsOf(route).map(({ on }) => on);
  if (kinds.length === 0) return relation === 'own' ? {} : undefined;
  if (kinds.some((kind) => !targets[relation][kind])) return undefined;
  const { organization, site, gateway, device, der } = targets[relation];
  return {
    organization: organization?.id,
    site: site?.id,
    gateway: gateway?.id,
    device: device?.id,
    der: der?.id,
    member: (targets[relation].member ?? targets.own.member)?.id,
  } as Names;
}

type Verdict = 'allowed' | 'unauthenticated' | 'forbidden' | 'absent';

function verdictOf({ status, body }: Reply): string {
  if (status < 300 || body.error === 'conflict') return 'allowed';
  return { 401: 'unauthenticated', 403: 'forbidden', 404: 'absent' }[status] ?? `unexpected ${status}`;
}

/** From the reviewed table alone, not from the code that enforces it. */
function expected(route: Route, actor: Actor, relation: Relation, { targets }: World): Verdict {
  const least = leastRole[nameOf(route)]!;
  if (least === 'anyone') return 'allowed';
  if (least === 'internal') return 'unauthenticated';
  if (actor.type === null) return 'unauthenticated';
  if (least === 'identity') return 'allowed';
  if (least === 'holder') return actor.type === 'gateway' ? 'forbidden' : 'allowed';
  const isPlatform = actor.type === 'root' || actor.type === 'admin';
  for (const { on } of needsOf(route)) {
    const { isOurs } = targets[relation][on]!;
    const exists = isOurs || relation === 'foreign' || relation === 'transferred';
    if (isPlatform ? !exists : !isOurs || actor.role === null) return 'absent';
  }
  return roles.indexOf(actor.role!) >= roles.indexOf(least) ? 'allowed' : 'forbidden';
}

function declared(access: Access): string {
  if (typeof access === 'string') return access === 'public' ? 'anyone' : access;
  const [need] = access.needs;
  if (need) return roles.find((role) => can(role, need.right))!;
  return access.identity.includes('gateway') ? 'identity' : 'holder';
}
