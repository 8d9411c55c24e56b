import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvents } from '#test/cloud/event-reader.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { engines, openCloud, type Person } from '#test/cloud/open-cloud.ts';
import { openOAuth } from '#test/oauth/open-oauth.ts';
import { freshDatabase } from '#test/services/postgres.ts';
import { until } from '#test/until.ts';
import { connectMember, ended } from '../broker/testing/trial.ts';

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

type SignIn = { id: string; description: string; created_at: string; used_at: string; is_current: boolean };

onEachEngine('sign-ins', async (cloud) => {
  const listed = async (as: Person): Promise<SignIn[]> =>
    (await cloud.call('GET', '/identity/sign-ins', { as })).body as SignIn[];
  const statusOf = async (as: Person): Promise<number> => (await cloud.call('GET', '/identity/me', { as })).status;
  const again = async (person: Person): Promise<Person> => ({ ...person, token: await cloud.signIn(person) });

  test('a person changes their name as it is checked at registration, and removes it', async () => {
    const ada = await cloud.person();
    const rename = (name: unknown) => cloud.call('PUT', '/identity/me', { as: ada, body: { name } });
    assert.equal((await rename('Ada Lovelace')).body.name, 'Ada Lovelace');
    const { body: me } = await cloud.call('GET', '/identity/me', { as: ada });
    assert.equal(me.name, 'Ada Lovelace');
    assert.equal((await cloud.call('PUT', '/identity/me', { as: ada, body: { ...me, name: 'A' } })).body.name, 'A');
    for (const name of ['', ' ', 'a\u0007', 'a'.repeat(129), 1]) assert.equal((await rename(name)).status, 400);
    const other = await cloud.call('PUT', '/identity/me', { as: ada, body: { ...me, type: 'root' } });
    assert.equal(other.status, 400);
    assert.equal((await rename(null)).body.name, null);
  });

  test('a person sees their own sign-ins only, with the program, the times and the current one', async () => {
    const ada = await cloud.person();
    cloud.clock.advance(60_000);
    const key = { public_key: ada.publicKey };
    const { challenge } = (await cloud.call('POST', '/auth/challenge', { body: key })).body;
    const body = { ...key, challenge, signature: ada.sign(challenge) };
    const headers = { 'user-agent': chrome };
    const browser = { ...ada, token: (await cloud.call('POST', '/auth/verify', { body, headers })).body.token };
    const list = await listed(browser);
    assert.deepEqual(
      list.map(({ description, is_current }) => [description, is_current]),
      [
        ['Chrome on Linux', true],
        ['lightMyRequest', false],
      ],
    );
    assert.equal(Date.parse(list[0]!.created_at) - Date.parse(list[1]!.created_at), 60_000);
    const eve = await cloud.person();
    assert.equal((await listed(eve)).length, 1);
    const stolen = await cloud.call('DELETE', `/identity/sign-ins/${list[1]!.id}`, { as: eve });
    assert.equal(stolen.status, 404);
    assert.equal(await statusOf(ada), 200);
  });

  test('one sign-in is ended and the others stay; signing out removes its own', async () => {
    const ada = await cloud.person();
    const [phone, tablet] = [await again(ada), await again(ada)];
    const lost = (await listed(phone)).find(({ is_current }) => is_current)!;
    assert.equal((await cloud.call('DELETE', `/identity/sign-ins/${lost.id}`, { as: ada })).status, 204);
    assert.deepEqual([await statusOf(phone), await statusOf(ada)], [401, 200]);
    await cloud.call('POST', '/auth/revoke', { as: tablet });
    assert.equal((await listed(ada)).length, 1);
  });

  test('signing out everywhere ends every token of that second, and a new sign-in works at once', async () => {
    const [ada, bob] = [await cloud.person(), await cloud.person()];
    const before = [ada, await again(ada), await again(ada)];
    assert.equal((await cloud.call('DELETE', '/identity/sign-ins', { as: ada })).status, 204);
    const fresh = await again(ada);
    assert.deepEqual(await Promise.all(before.map(statusOf)), [401, 401, 401]);
    assert.deepEqual([await statusOf(fresh), await statusOf(bob)], [200, 200]);
    assert.equal((await listed(fresh)).length, 1);
    const late = await again(ada);
    await cloud.call('DELETE', '/identity/sign-ins', { as: late });
    assert.deepEqual(await Promise.all([fresh, late].map(statusOf)), [401, 401]);
  });

  test('at most 200 sign-ins are listed, and signing out everywhere ends those beyond, too', async () => {
    const ada = await cloud.person();
    for (let n = 0; n < 205; n++) await cloud.signIn(ada);
    const { body } = await cloud.call('GET', '/identity/sign-ins?limit=1000', { as: ada });
    assert.equal(body.length, 200);
    assert.equal(await statusOf(ada), 200);
    await cloud.call('DELETE', '/identity/sign-ins', { as: ada });
    assert.equal(await statusOf(ada), 401);
  });
});

for (const { engine, skip } of engines) {
  test(`signing out everywhere ends streams and broker connections within seconds on ${engine}`, { skip }, async () => {
    const cloud = await openOAuth({ engine });
    try {
      const { owner, url } = cloud;
      const site = await cloud.site(owner, cloud.org);
      const stream = await readEvents(`${url}/stream/sites/${site}`, { authorization: `Bearer ${owner.token}` });
      const { ticket } = (await cloud.call('POST', '/stream/tickets', { as: owner, body: { site_id: site } })).body;
      const member = await connectMember(cloud.transport.urls.mqtt!, owner);
      const began = performance.now();
      await cloud.call('DELETE', '/identity/sign-ins', { as: owner });
      await Promise.all([ended(member), stream.ended()]);
      assert.ok(performance.now() - began < 5000);
      assert.equal((await cloud.call('GET', `/stream/sites/${site}?ticket=${ticket}`)).status, 401);
    } finally {
      await cloud.close();
    }
  });
}

test('another process refuses the tokens and ends the connections of a person who signed out everywhere', {
  skip: engines[1]!.skip,
}, async (t) => {
  const database = await freshDatabase();
  t.after(() => database.drop());
  const here = await openCloud({ databaseUrl: database.url });
  const there = await openCloud({ databaseUrl: database.url });
  try {
    await there.start();
    const ada = await here.person();
    assert.equal((await there.call('GET', '/identity/me', { as: ada })).status, 200);
    const member = await connectMember(there.transport.urls.mqtt!, ada);
    const began = performance.now();
    await here.call('DELETE', '/identity/sign-ins', { as: ada });
    await Promise.all([
      ended(member),
      until(
        async () => (await there.call('GET', '/identity/me', { as: ada })).status,
        (status) => status === 401,
      ),
    ]);
    assert.ok(performance.now() - began < 5000);
  } finally {
    await here.close();
    await there.close();
  }
});
