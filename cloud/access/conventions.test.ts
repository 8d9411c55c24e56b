import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { TObject } from 'typebox';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import type { Route } from '#contract/route.ts';
import { matrixRoutes, nameOf } from '#test/attacks/matrix.ts';
import { rehearse } from '#test/attacks/rehearse.ts';
import { type Names, requestOf } from '#test/attacks/requests.ts';
import { type Actor, buildWorld } from '#test/attacks/world.ts';
import { openCloud, type TestCloud } from '#test/cloud/open-cloud.ts';

/** Conventions that every route follows, tested on each of them; changes are rolled back. */
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

  const changed = matrixRoutes.filter((route): route is Route & { resource: Route } => 'resource' in route);
  const written = changed.filter(({ method }) => method === 'PUT');

  test('a PUT takes what its GET returned, and refuses read-only fields that differ', async () => {
    assert.equal(written.length, cloudRoutes.filter(({ method }) => method === 'PUT').length);
    for (const route of written) {
      const { url } = request(route);
      const { body, status } = await cloud.call('GET', url, { as: owner });
      assert.equal(status, 200, nameOf(route));
      const back = await cloud.call('PUT', url, { as: owner, body });
      assert.equal(back.status, 200, `${nameOf(route)}: ${JSON.stringify(back.body)}`);
      for (const name of Object.keys(back.body))
        assert.deepEqual(back.body[name], body[name], `${nameOf(route)} ${name}`);
      const readOnly = Object.keys(body).filter((name) => !(name in (route.body as TObject).properties));
      assert.ok(readOnly.length > 0);
      for (const name of readOnly.filter((each) => !route.volatile?.includes(each))) {
        const refused = await cloud.call('PUT', url, { as: owner, body: { ...body, [name]: 'another' } });
        assert.deepEqual([refused.status, refused.body.errors?.[0].path], [400, `body.${name}`], nameOf(route));
      }
    }
  });

  test('If-Match lets the current state pass, and refuses another with 412', async () => {
    for (const route of changed) {
      const { method, url, body } = request(route);
      const seen = await cloud.call('GET', url, { as: owner });
      const etag = seen.headers.etag!;
      assert.ok(etag, nameOf(route));
      const withMatch = (match: string) => cloud.call(method, url, { as: owner, body, headers: { 'if-match': match } });
      for (const match of [etag, '*', `"other", ${etag}`, etag.replace(/"$/, '-gzip"')]) {
        const { status } = await withMatch(match);
        assert.ok(status < 300 || status === 409, `${nameOf(route)} ${match}: ${status}`);
      }
      for (const match of ['"other"', 'W/"other"', 'nonsense', '']) {
        const { status, body: problem } = await withMatch(match);
        assert.deepEqual([status, problem.error], [412, 'precondition_failed'], `${nameOf(route)} ${match}`);
      }
      const { status } = await cloud.call(method, url, { body, headers: { 'if-match': '"other"' } });
      assert.equal(status, 401, nameOf(route));
    }
  });

  test('every answer of 1 KB or more is compressed when asked for, and reads the same', async () => {
    const long = await Promise.all(['/public/telemetry-fields', '/metrics'].map((url) => cloud.app.inject({ url })));
    for (const plain of long) {
      const url = plain.raw.req.url!;
      const packed = await cloud.app.inject({ url, headers: { 'accept-encoding': 'br;q=1, gzip;q=0.5' } });
      assert.deepEqual([packed.headers['content-encoding'], packed.headers.vary], ['gzip', 'accept-encoding'], url);
      assert.ok(packed.rawPayload.length < plain.rawPayload.length, url);
      if (url !== '/metrics') assert.equal(gunzipSync(packed.rawPayload).toString(), plain.body);
      assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'accept-encoding']);
      for (const refusal of ['gzip;q=0', 'identity', 'br']) {
        const asked = await cloud.app.inject({ url, headers: { 'accept-encoding': refusal } });
        assert.equal(asked.headers['content-encoding'], undefined, refusal);
      }
      const { etag } = packed.headers;
      if (!etag) continue;
      assert.notEqual(etag, plain.headers.etag);
      for (const known of [etag, plain.headers.etag as string]) {
        const again = await cloud.app.inject({ url, headers: { 'accept-encoding': 'gzip', 'if-none-match': known } });
        assert.deepEqual([again.statusCode, again.body, again.headers['content-encoding']], [304, '', undefined]);
      }
    }
    const short = await cloud.app.inject({ url: '/health', headers: { 'accept-encoding': 'gzip' } });
    assert.equal(short.headers['content-encoding'], undefined);
  });
});

/** Kept apart: here what is created stays, so that it can be looked up. */
test('every 201 of something that has a GET names it in Location, also when the answer is repeated', async () => {
  const cloud = await openCloud();
  try {
    const world = await buildWorld(cloud);
    const owner = world.actors.owner!;
    const names: Names = Object.fromEntries(Object.entries(world.targets.own).map(([kind, { id }]) => [kind, id]));
    const routes: readonly Route[] = cloudRoutes;
    const isItemOf = (list: string, path: string): boolean => path.replace(/\/\{\w+\}$/, '') === list && path !== list;
    const hasGet = ({ path: list }: Route): boolean =>
      routes.some(({ method, path }) => method === 'GET' && isItemOf(list, path));
    for (const route of routes) {
      if (!route.replies[201] || !(hasGet(route) || route.location)) continue;
      assert.ok(route.location, `${nameOf(route)} has no location`);
      if (route.path.endsWith('/members')) continue; // tried with the members
      const { method, url, body } = requestOf(route, names, owner, cloud);
      const headers = { 'idempotency-key': nameOf(route).replaceAll(/\W/g, '') };
      const create = () => cloud.call(method, url, { as: owner, body, headers });
      for (const created of [await create(), await create()]) {
        assert.equal(created.status, 201, `${nameOf(route)}: ${JSON.stringify(created.body)}`);
        const found = await cloud.call('GET', created.headers.location!, { as: owner });
        assert.equal(found.status, 200, `${nameOf(route)}: ${created.headers.location}`);
        const key = 'id' in created.body ? 'id' : 'gateway_serial';
        assert.equal(found.body[key], created.body[key]);
      }
    }
  } finally {
    await cloud.close();
  }
});
