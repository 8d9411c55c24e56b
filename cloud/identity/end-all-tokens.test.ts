import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs } from '#contract/time.ts';
import { readEvents } from '#test/cloud/event-reader.ts';
import { engines, openCloud } from '#test/cloud/open-cloud.ts';
import { openOAuth } from '#test/oauth/open-oauth.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { until } from '#test/until.ts';
import { connectGateway, connectMember, ended } from '../broker/testing/trial.ts';
import { endAllTokens } from './key-ring.ts';

const limitMs = 15_000;

for (const { engine, skip } of engines) {
  test(`when all tokens end on ${engine}, so does everything that was opened or issued with one`, {
    skip,
  }, async () => {
    const cloud = await openOAuth({ engine });
    try {
      const { owner, url } = cloud;
      const { gateway } = await cloud.home();
      const ownSite = await cloud.site(owner, cloud.org);
      const client = await cloud.register();
      const application = await cloud.tokens(client);
      const [used, unused] = await Promise.all(
        [1, 2].map(
          async () => (await cloud.call('POST', '/auth/challenge', { body: { public_key: owner.publicKey } })).body,
        ),
      );
      const { ticket } = (await cloud.call('POST', '/stream/tickets', { as: owner, body: { site_id: ownSite } })).body;
      const follow = (token: string) =>
        readEvents(`${url}/stream/sites/${ownSite}`, { authorization: `Bearer ${token}` });
      const streams = [await follow(owner.token), await follow(application.access_token)];
      const mqttUrl = cloud.transport.urls.mqtt!;
      const member = await connectMember(mqttUrl, owner);
      const device = await connectGateway(mqttUrl, gateway, cloud.clock.now());
      const verify = (challenge: string) =>
        cloud.call('POST', '/auth/verify', {
          body: { public_key: owner.publicKey, challenge, signature: owner.sign(challenge) },
        });
      assert.equal((await verify(used.challenge)).status, 200);

      await cloud.store.write(({ db }) => endAllTokens(db, cloud.clock.now()));

      const began = performance.now();
      await until(
        async () => (await cloud.call('GET', '/identity/me', { as: owner })).status === 401,
        Boolean,
        limitMs,
      );
      await ended(member);
      for (const stream of streams) {
        await stream.ended();
        assert.deepEqual(stream.events.at(-1)?.data, { reason: 'access_lost' });
      }
      assert.ok(performance.now() - began < limitMs);
      assert.equal((await cloud.get('/sites', application.access_token)).status, 401);
      assert.equal((await cloud.refresh(client, application.refresh_token)).body.error, 'invalid_grant');
      assert.equal((await cloud.call('GET', `/stream/sites/${ownSite}?ticket=${ticket}`)).status, 401);
      assert.equal((await verify(unused.challenge)).body.error, 'challenge_invalid');

      assert.ok(device.connected, 'gateways have keys of their own and stay');
      await device.endAsync(true);
      const again = { ...owner, token: await cloud.signIn(owner) };
      assert.equal((await cloud.call('GET', '/identity/me', { as: again })).status, 200);
      assert.equal((await cloud.tokens(client, { as: again })).scope, application.scope);
    } finally {
      await cloud.close();
    }
  });
}

test('two processes on one PostgreSQL both refuse the tokens', { skip: postgresMissing() }, async () => {
  const database = await freshDatabase();
  const clouds = [await openCloud({ databaseUrl: database.url }), await openCloud({ databaseUrl: database.url })];
  try {
    for (const cloud of clouds) await cloud.start();
    const ada = await clouds[0]!.person();
    for (const cloud of clouds) assert.equal((await cloud.call('GET', '/identity/me', { as: ada })).status, 200);
    await clouds[0]!.store.write(({ db }) => endAllTokens(db, clouds[0]!.clock.now()));
    for (const cloud of clouds) {
      await until(async () => (await cloud.call('GET', '/identity/me', { as: ada })).status === 401, Boolean, limitMs);
    }
    const again = { ...ada, token: await clouds[1]!.signIn(ada) };
    for (const cloud of clouds) assert.equal((await cloud.call('GET', '/identity/me', { as: again })).status, 200);
  } finally {
    for (const cloud of clouds) await cloud.close();
    await database.drop();
  }
});

test('a shorter TOKEN_HOURS also ends the longer tokens that were issued before', {
  skip: postgresMissing(),
}, async () => {
  const database = await freshDatabase();
  const long = await openCloud({ databaseUrl: database.url, env: { TOKEN_HOURS: '24' } });
  const short = await openCloud({ databaseUrl: database.url, env: { TOKEN_HOURS: '0.0015' } });
  try {
    const ada = await long.person();
    assert.equal((await short.call('GET', '/identity/me', { as: ada })).status, 401);
    const token = await short.signIn(ada);
    for (const cloud of [long, short]) {
      assert.equal((await cloud.call('GET', '/identity/me', { as: { ...ada, token } })).status, 200);
    }
    short.clock.advance(hourMs);
    assert.equal((await short.call('GET', '/identity/me', { as: { ...ada, token } })).status, 401);
  } finally {
    await long.close();
    await short.close();
    await database.drop();
  }
});
