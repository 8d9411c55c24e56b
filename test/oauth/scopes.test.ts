import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dataScopes, roles } from '#contract/access.ts';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import type { Route } from '#contract/route.ts';
import { requestOf } from '../attacks/requests.ts';
import { engines, type Person } from '../cloud/open-cloud.ts';
import { ed25519 } from '../cloud/people.ts';
import { type OAuthTestCloud, openOAuth, redirectUri, type TestClient } from './open-oauth.ts';
import { scopeOf } from './scope-policy.ts';

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

test('routes declare the scopes that were reviewed', () => {
  const declared = cloudRoutes.filter(({ scope }) => scope).map((route) => [nameOf(route), route.scope]);
  assert.deepEqual(Object.fromEntries(declared), scopeOf);
});

const tried = cloudRoutes.filter(
  (route) =>
    typeof route.access === 'object' &&
    !route.oauthErrors &&
    !route.path.endsWith('{client_id}') &&
    !route.path.endsWith('{consent_id}'),
);

for (const { engine, skip } of engines) {
  describe(`scopes and organizations on ${engine}`, { skip }, () => {
    let cloud: OAuthTestCloud;
    let client: TestClient;
    let home: Record<string, string>;
    let cabin: Record<string, string>;
    const objectsOf = async (org: string): Promise<Record<string, string>> => {
      const { serial } = await cloud.claim(cloud.owner, org);
      const site = await cloud.site(cloud.owner, org, { price_area: 'SE3' });
      const device = await cloud.provision(cloud.owner, site, serial);
      const member = (await cloud.member(cloud.owner, org, 'viewer')).id;
      return { organization: org, site, gateway: serial, device: device.id, der: device.ders[1].id, member };
    };
    before(async () => {
      cloud = await openOAuth({ engine });
      client = await cloud.register();
      home = await objectsOf(cloud.org);
      cabin = await objectsOf(cloud.otherOrg);
    });
    after(() => cloud.close());

    const callAs = async (route: Route, names: Record<string, string>, token: string): Promise<number> => {
      const as = { ...cloud.owner, token, role: null, type: null };
      const { method, url, body } = requestOf(route, names, as, cloud);
      return (await cloud.call(method, url, { as, body })).status;
    };

    test('each route is open to the scope it declares, in the chosen organization, and to no other', async () => {
      let cells = 0;
      for (const scope of dataScopes) {
        const { access_token } = await cloud.tokens(client, { scope });
        for (const route of tried) {
          const isOpen = scopeOf[nameOf(route)] === scope;
          const here = await callAs(route, home, access_token);
          const there = await callAs(route, cabin, access_token);
          const where = `${scope} at ${nameOf(route)}: ${here}, ${there}`;
          if (!isOpen) assert.deepEqual([here, there], [403, 403], where);
          else {
            assert.ok(here < 300 || here === 409, where); // 409: no gateway listens for the command
            const namesNothing = typeof route.access === 'object' && route.access.needs.every(({ filter }) => filter);
            assert.ok(namesNothing ? there < 300 : there === 404, where);
          }
          cells += 2;
        }
      }
      console.log(`${cells} cells tried on ${engine}`);
    });

    for (const scope of ['', 'read:minds'])
      test(`a consent to nothing is refused, as with the scope '${scope}'`, async () => {
        const reply = await fetch(cloud.authorizeUrl(client, { scope }), { redirect: 'manual' });
        const back = new URL(reply.headers.get('location')!);
        assert.equal(back.origin + back.pathname, redirectUri);
        assert.equal(back.searchParams.get('error'), 'invalid_scope');
      });

    test('a refusal for a missing scope names the scope', async () => {
      const { access_token } = await cloud.tokens(client, { scope: 'read:sites' });
      const reply = await cloud.get(`/sites/${home.site}/telemetry`, access_token);
      assert.equal(reply.status, 403);
      assert.equal(reply.headers.get('www-authenticate'), 'Bearer error="insufficient_scope", scope="read:telemetry"');
    });

    test('lists contain what was chosen, for platform administrators too', async () => {
      const { access_token } = await cloud.tokens(client, { scope: 'read:sites' });
      const idsAt = async (path: string): Promise<string[]> =>
        ((await (await cloud.get(path, access_token)).json()) as { id?: string; gateway_serial?: string }[]).map(
          ({ id, gateway_serial }) => (id ?? gateway_serial)!,
        );
      const seen = async () => [await idsAt('/organizations'), await idsAt('/sites'), await idsAt('/gateways')];
      const chosen = [[home.organization], [home.site], [home.gateway]];
      assert.deepEqual(await seen(), chosen);
      const { db } = cloud.store;
      const become = (type: 'root' | 'user') =>
        cloud.store.write(({ db: writing }) =>
          writing.updateTable('identities').set({ type }).where('id', '=', cloud.owner.id).execute(),
        );
      await become('root');
      await cloud.tokens(client, { scope: 'read:sites' }); // cached answers are dropped
      assert.deepEqual(await seen(), chosen);
      await become('user');
      assert.equal((await db.selectFrom('organizations').selectAll().execute()).length, 2);
    });

    test('an application can do no more than the person can, now', async () => {
      const person: Person = await cloud.person(undefined, ed25519(), 'Eva');
      const secret = await cloud.invite(cloud.owner, cloud.org, 'owner');
      await cloud.call('POST', `/invitations/${secret}/accept`, { as: person });
      const { access_token } = await cloud.tokens(client, { as: person });
      for (const role of roles) {
        const path = `/organizations/${cloud.org}/members/${person.id}`;
        await cloud.call('PUT', path, { as: cloud.owner, body: { role } });
        const as = { ...person, token: access_token };
        const reply = await cloud.call('POST', `/ders/${home.der}/commands`, { as, body: { power_w: 100 } });
        assert.equal(reply.status === 403, role === 'viewer', `${role}: ${reply.status}`);
        assert.equal(reply.body.created_by_name, undefined, 'an application was not granted names');
      }
      const audit = await cloud.call('GET', `/organizations/${cloud.org}/audit`, { as: cloud.owner });
      const commanded = audit.body.find(({ action }: { action: string }) => action === 'command.created');
      assert.deepEqual([commanded.actor, commanded.details.application], [person.id, client.client_id]);
      await cloud.call('DELETE', `/organizations/${cloud.org}/members/${person.id}`, { as: cloud.owner });
      assert.equal((await cloud.get(`/sites/${home.site}`, access_token)).status, 404);
    });

    test('the last consent applies to every token of the application', async () => {
      const person = await cloud.member(cloud.owner, cloud.org, 'viewer');
      await cloud.call('POST', `/organizations/${cloud.otherOrg}/members`, {
        as: cloud.owner,
        body: { identity_id: person.id, role: 'viewer' },
      });
      const both = [cloud.org, cloud.otherOrg];
      const { access_token } = await cloud.tokens(client, { as: person, orgIds: both });
      assert.equal((await cloud.get(`/sites/${cabin.site}`, access_token)).status, 200);
      await cloud.tokens(client, { as: person, orgIds: [cloud.org], scope: 'read:sites' });
      assert.equal((await cloud.get(`/sites/${cabin.site}`, access_token)).status, 404);
      assert.equal((await cloud.get(`/sites/${home.site}`, access_token)).status, 200);
      assert.equal((await cloud.get(`/sites/${home.site}/telemetry`, access_token)).status, 403);
    });
  });
}
