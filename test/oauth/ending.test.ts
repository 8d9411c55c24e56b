import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { disableIdentity } from '#cloud/operator/identities.ts';
import { removeOperatorClient } from '#cloud/operator/oauth-clients.ts';
import { engines, type Person } from '../cloud/open-cloud.ts';
import { type OAuthTestCloud, openOAuth, type TestClient } from './open-oauth.ts';

for (const { engine, skip } of engines) {
  describe(`the end of an application's access on ${engine}`, { skip }, () => {
    let cloud: OAuthTestCloud;
    let site: string;
    before(async () => {
      cloud = await openOAuth({ engine });
      site = await cloud.site(cloud.owner, cloud.org);
    });
    after(() => cloud.close());

    type Held = { client: TestClient; person: Person; access_token: string; refresh_token: string };

    const withdraw = async ({ person, client }: Held): Promise<void> => {
      const { body } = await cloud.call('GET', '/identity/consents', { as: person });
      const consent = body.find(({ client_id }: { client_id: string }) => client_id === client.client_id);
      assert.deepEqual([consent.client_name, consent.org_ids], ['Dashboard', [cloud.org]]);
      const path = `/identity/consents/${consent.id}`;
      assert.equal((await cloud.call('DELETE', path, { as: cloud.owner })).status, 404, 'it is not theirs');
      assert.equal((await cloud.call('DELETE', path, { as: person })).status, 204);
    };

    const endings: Record<string, (held: Held) => Promise<unknown>> = {
      'the person withdraws the consent': withdraw,
      'an admin removes the application': ({ client }) =>
        cloud.call('DELETE', `/organizations/${cloud.org}/oauth-clients/${client.client_id}`, { as: cloud.owner }),
      'the operator removes the application': ({ client }) => removeOperatorClient(client.client_id, cloud),
      'the operator disables the person': ({ person }) => disableIdentity(person.id, cloud),
      'the application revokes its token': ({ client, access_token }) =>
        cloud.post('/oauth/revoke', client, { token: access_token }),
      'the application revokes its refresh token': ({ client, refresh_token }) =>
        cloud.post('/oauth/revoke', client, { token: refresh_token }),
    };

    for (const [title, end] of Object.entries(endings))
      test(`when ${title}, tokens and streams end within 5 s`, async () => {
        const client = await cloud.register();
        const person = await cloud.member(cloud.owner, cloud.org, 'viewer');
        const held = { client, person, ...(await cloud.tokens(client, { as: person })) };
        const { access_token, refresh_token } = held;
        const ticket = await ticketOf(access_token);
        const stream = await cloud.get(`/stream/sites/${site}`, access_token);
        assert.equal(stream.status, 200);

        const began = performance.now();
        await end(held);
        const text = await Promise.race([stream.text(), sleep(5000, 'open', { ref: false })]);
        assert.match(text, /event: end\ndata: {"reason":"access_lost"}/);
        while ((await cloud.get('/sites', access_token)).status !== 401) {
          assert.ok(performance.now() - began < 5000, 'the token is still valid');
          await sleep(20);
        }
        assert.notEqual((await cloud.refresh(client, refresh_token)).status, 200);
        assert.equal((await cloud.get('/oauth/userinfo', access_token)).status, 401);
        assert.equal((await fetch(`${cloud.url}/stream/sites/${site}?ticket=${ticket}`)).status, 401);
      });

    async function ticketOf(token: string): Promise<string> {
      const as = { ...cloud.owner, token };
      const { status, body } = await cloud.call('POST', '/stream/tickets', { as, body: { site_id: site } });
      assert.equal(status, 201);
      return body.ticket;
    }

    test('a ticket of an application opens a stream within its consent', async () => {
      const { access_token } = await cloud.tokens(await cloud.register());
      const stream = await fetch(`${cloud.url}/stream/sites/${site}?ticket=${await ticketOf(access_token)}`);
      assert.equal(stream.status, 200);
      await stream.body!.cancel();
    });

    test('an application of another organization cannot be removed', async () => {
      const { client_id } = await cloud.register();
      const path = `/organizations/${cloud.otherOrg}/oauth-clients/${client_id}`;
      assert.equal((await cloud.call('DELETE', path, { as: cloud.owner })).status, 404);
    });

    test('applications are listed without their secrets', async () => {
      const { body } = await cloud.call('GET', `/organizations/${cloud.org}/oauth-clients`, { as: cloud.owner });
      assert.ok(body.length > 0);
      assert.deepEqual(Object.keys(body[0]).sort(), [
        'client_id',
        'confidential',
        'created_at',
        'name',
        'redirect_uris',
      ]);
    });
  });
}
