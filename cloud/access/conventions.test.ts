import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Route } from '#contract/route.ts';
import { matrixRoutes, nameOf } from '#test/attacks/matrix.ts';
import { rehearse } from '#test/attacks/rehearse.ts';
import { type Names, requestOf } from '#test/attacks/requests.ts';
import { type Actor, buildWorld } from '#test/attacks/world.ts';
import { openCloud, type TestCloud } from '#test/cloud/open-cloud.ts';

/** What every route keeps to, tried on each of them; changes are made, answered and undone. */
describe('conventions', () => {
  let cloud: TestCloud;
  let owner: Actor;
  let names: Names;
  before(async () => {
    cloud = await openCloud();
    await cloud.start();
    const world = await buildWorld(cloud);
    owner = world.actors.owner!;
    names = Object.fromEntries(Object.entries(world.targets.own).map(([kind, { id }]) => [kind, id]));
    names.secret = world.invitationSecret;
    rehearse(cloud.store);
  });
  after(() => cloud.close());

  const request = (route: Route) => requestOf(route, names, owner, cloud);
  const isAnswered = (route: Route): boolean =>
    route.access !== 'internal' && route.contentType !== 'text/event-stream' && !route.path.includes('{client_id}');

  test('a trailing slash changes nothing', async () => {
    for (const route of matrixRoutes.filter(isAnswered)) {
      const { method, url, body } = request(route);
      const [path, query] = url.split('?');
      const plain = await cloud.call(method, url, { as: owner, body });
      const slashed = await cloud.call(method, `${path}/${query ? `?${query}` : ''}`, {
        as: owner,
        body: request(route).body,
      });
      assert.ok(
        plain.status < 400 || plain.status === 409,
        `${nameOf(route)}: ${plain.status} ${JSON.stringify(plain.body)}`,
      );
      assert.equal(slashed.status, plain.status, nameOf(route));
    }
  });
});
