import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { engines } from '../cloud/open-cloud.ts';
import { type OAuthTestCloud, openOAuth, type TestClient } from './open-oauth.ts';

for (const { engine, skip } of engines) {
  describe(`codes and tokens on ${engine}`, { skip }, () => {
    let cloud: OAuthTestCloud;
    let client: TestClient;
    const code = async (): Promise<string> => (await cloud.allow(cloud.authorizeUrl(client))).searchParams.get('code')!;
    const isGood = async (token: string): Promise<boolean> => (await cloud.get('/sites', token)).status === 200;

    before(async () => {
      cloud = await openOAuth({ engine });
      client = await cloud.register();
    });
    after(() => cloud.close());

    test('of ten redemptions at once one succeeds, and its tokens are revoked', async () => {
      const given = await code();
      const replies = await Promise.all(Array.from({ length: 10 }, () => cloud.redeem(client, given)));
      const [winner, ...more] = replies.filter(({ status }) => status === 200);
      assert.ok(winner);
      assert.equal(more.length, 0);
      for (const { status, body } of replies) if (status !== 200) assert.equal(body.error, 'invalid_grant');
      assert.equal(await isGood(winner.body.access_token), false);
      assert.equal((await cloud.refresh(client, winner.body.refresh_token)).body.error, 'invalid_grant');
    });

    test('a code that is used again later revokes its tokens', async () => {
      const given = await code();
      const { body } = await cloud.redeem(client, given);
      assert.equal(await isGood(body.access_token), true);
      assert.equal((await cloud.redeem(client, given)).body.error, 'invalid_grant');
      assert.equal(await isGood(body.access_token), false);
    });

    test('a refresh token rotates, and one that is used again ends its family', async () => {
      const first = await cloud.tokens(client);
      const second = (await cloud.refresh(client, first.refresh_token)).body;
      assert.notEqual(second.refresh_token, first.refresh_token);
      const third = (await cloud.refresh(client, second.refresh_token)).body;
      assert.equal(await isGood(third.access_token), true);
      assert.equal((await cloud.refresh(client, first.refresh_token)).body.error, 'invalid_grant');
      for (const { access_token } of [first, second, third]) assert.equal(await isGood(access_token), false);
      assert.equal((await cloud.refresh(client, third.refresh_token)).body.error, 'invalid_grant');
    });

    test('of ten refreshes at once at most one succeeds, and the family ends', async () => {
      const { refresh_token } = await cloud.tokens(client);
      const replies = await Promise.all(Array.from({ length: 10 }, () => cloud.refresh(client, refresh_token)));
      const winners = replies.filter(({ status }) => status === 200);
      assert.ok(winners.length <= 1);
      for (const { body } of winners) assert.equal(await isGood(body.access_token), false);
    });

    test('ending one family leaves another of the same application alone', async () => {
      const [one, other] = [await cloud.tokens(client), await cloud.tokens(client)];
      await cloud.post('/oauth/revoke', client, { token: one.refresh_token });
      assert.deepEqual([await isGood(one.access_token), await isGood(other.access_token)], [false, true]);
    });

    test('a code is valid for 60 s', async (t) => {
      const given = await code();
      const clock = mock.timers;
      clock.enable({ apis: ['Date'], now: Date.now() + 61_000 });
      t.after(() => clock.reset());
      assert.equal((await cloud.redeem(client, given)).body.error, 'invalid_grant');
    });

    test('an access token is valid for an hour', async () => {
      const { access_token } = await cloud.tokens(client);
      assert.equal(await isGood(access_token), true);
      cloud.clock.advance(3_601_000);
      assert.equal(await isGood(access_token), false);
      cloud.clock.advance(-3_601_000);
    });

    test('the database contains nothing that a client or a browser holds', async () => {
      const { request } = await cloud.begin(cloud.authorizeUrl(client));
      const { access_token, refresh_token } = await cloud.tokens(client);
      const rows = [
        ...(await cloud.store.db.selectFrom('oauth_records').selectAll().execute()),
        ...(await cloud.store.db.selectFrom('oauth_clients').selectAll().execute()),
      ];
      assert.ok(rows.length > 3);
      const text = JSON.stringify(rows);
      for (const secret of [access_token, refresh_token, client.client_secret!]) assert.ok(!text.includes(secret));
      assert.ok(!rows.some(({ id }) => id === request));
    });
  });
}
