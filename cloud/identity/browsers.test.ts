import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { maxBrowsers } from '#contract/cloud/browsers.ts';
import { comparisonCode, confirmMessage, joinMessage } from '#contract/pairing.ts';
import { minuteMs } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { expectStatus, type Person } from '#test/cloud/open-cloud.ts';
import { ed25519, p256, type Signer } from '#test/cloud/people.ts';
import { disableIdentity } from '../operator/identities.ts';
import { insertSignIn, keepNewest } from '../store/sign-ins.ts';

onEachEngine('browsers', async (cloud) => {
  const start = async (as: Person): Promise<{ id: string; secret: string }> => {
    const { id, url } = await expectStatus(200, cloud.call('POST', '/identity/pairing', { as }));
    return { id, secret: new URL(url).hash.slice(1) };
  };
  const join = (secret: string, key: Signer, { by = key } = {}) =>
    cloud.call('POST', '/identity/pairing/join', {
      body: { secret, public_key: key.publicKey, signature: by.sign(joinMessage(secret, key.publicKey)) },
      headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 16) Chrome/142.0.0.0 Mobile Safari/537.36' },
    });
  const confirm = (as: Person, pairingId: string, key: Signer, by: Signer = as) =>
    cloud.call('POST', '/identity/pairing/confirm', {
      as,
      body: {
        public_key: key.publicKey,
        signature: by.sign(confirmMessage({ identityId: as.id, pairingId, publicKey: key.publicKey })),
      },
    });
  const pairingOf = async (as: Person) => (await cloud.call('GET', '/identity/pairing', { as })).body.pairing;
  const listed = async (as: Person) => (await cloud.call('GET', '/identity/browsers', { as })).body;
  const statusOf = async (as: Person): Promise<number> => (await cloud.call('GET', '/identity/me', { as })).status;

  /** Adds a browser to an identity and signs in with its key. */
  async function add(as: Person): Promise<Person & { browserId: string }> {
    const key = ed25519();
    const { id, secret } = await start(as);
    await expectStatus(200, join(secret, key));
    const { id: browserId } = await expectStatus(200, confirm(as, id, key));
    return { ...key, id: as.id, token: await cloud.signIn(key), browserId };
  }

  test('a second browser signs in with its own key once the first has confirmed it', async () => {
    const ada = await cloud.person(undefined, ed25519(), 'Ada');
    const home = await cloud.organization(ada);
    const phone = ed25519();
    const { id, secret } = await start(ada);
    assert.equal((await pairingOf(ada)).browser, null);
    const waiting = await join(secret, phone);
    assert.deepEqual([waiting.status, waiting.body.state, waiting.body.name], [200, 'waiting', 'Ada']);
    const seen = (await pairingOf(ada)).browser;
    assert.deepEqual(seen, { public_key: phone.publicKey, description: 'Chrome on Android' });
    assert.equal(await comparisonCode(secret, seen.public_key), await comparisonCode(secret, phone.publicKey));
    await assert.rejects(cloud.signIn(phone), /identity_unknown/);

    assert.equal((await confirm(ada, id, phone)).body.description, 'Chrome on Android');
    assert.equal((await join(secret, phone)).body.state, 'confirmed');
    assert.equal(await pairingOf(ada), null);
    const other: Person = { ...phone, id: ada.id, token: await cloud.signIn(phone) };
    assert.equal((await cloud.call('GET', '/identity/me', { as: other })).body.identity_id, ada.id);
    assert.equal((await cloud.call('GET', '/organizations', { as: other })).body[0].id, home);
    assert.equal(
      (await cloud.call('POST', '/identity/register', { body: { public_key: phone.publicKey } })).status,
      200,
    );
    const [entry] = (await cloud.call('GET', `/organizations/${home}/audit`, { as: ada })).body;
    assert.deepEqual(
      [entry.action, entry.object_name, entry.details.description],
      ['identity.browser_added', 'Ada', 'Chrome on Android'],
    );
  });

  test('a browser that was added adds another one, and one that is removed can do nothing more', async () => {
    const ada = await cloud.person();
    const phone = await add(ada);
    const tablet = await add(phone);
    assert.equal((await listed(ada)).length, 2);
    const remove = (as: Person, id: string) => cloud.call('DELETE', `/identity/browsers/${id}`, { as });
    assert.equal((await remove(await cloud.person(), phone.browserId)).status, 404);
    assert.equal((await remove(tablet, phone.browserId)).status, 204);
    assert.deepEqual([await statusOf(phone), await statusOf(tablet), await statusOf(ada)], [401, 200, 200]);
    await assert.rejects(cloud.signIn(phone), /identity_unknown/);
    assert.equal((await remove(ada, phone.browserId)).status, 404);
    const key = ed25519();
    const { id, secret } = await start(tablet);
    await expectStatus(200, join(secret, key));
    assert.equal((await confirm(tablet, id, key, phone)).body.error, 'signature_invalid');
  });

  test('a browser that is removed receives no more push messages', async () => {
    const ada = await cloud.person();
    const phone = await add(ada);
    const receive = (as: Person, name: string) =>
      expectStatus(
        201,
        cloud.call('POST', '/alert-channels', {
          as,
          body: {
            push: {
              endpoint: `https://push.example.org/${name.length}`,
              keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
            },
            name,
            language: 'en',
          },
        }),
      );
    await receive(phone, 'lost phone');
    await receive(ada, 'first browser');
    assert.equal((await cloud.call('DELETE', `/identity/browsers/${phone.browserId}`, { as: ada })).status, 204);
    const { body: left } = await cloud.call('GET', '/alert-channels', { as: ada });
    assert.deepEqual(
      left.map(({ name }: { name: string }) => name),
      ['first browser'],
    );
  });

  test('the first browser to open the link is shown, and the second is refused', async () => {
    const ada = await cloud.person();
    const [phone, thief] = [ed25519(), ed25519()];
    const { id, secret } = await start(ada);
    const [byThief, byPhone] = await Promise.all([join(secret, thief), join(secret, phone)]);
    assert.deepEqual(new Set([byThief.status, byPhone.status]), new Set([200, 410]));
    const [first, second] = byThief.status === 200 ? [thief, phone] : [phone, thief];
    assert.equal((await pairingOf(ada)).browser.public_key, first.publicKey);
    assert.notEqual(await comparisonCode(secret, first.publicKey), await comparisonCode(secret, second.publicKey));
    assert.equal((await confirm(ada, id, second)).body.error, 'conflict');
    assert.equal((await cloud.call('DELETE', '/identity/pairing', { as: ada })).status, 204);
    assert.equal((await join(secret, first)).body.error, 'gone');
    assert.equal((await confirm(ada, id, first)).body.error, 'gone');
    assert.deepEqual(await listed(ada), []);
  });

  test('a link ends after five minutes, with a newer one, and once it was used', async () => {
    const ada = await cloud.person();
    const [phone, other] = [ed25519(), ed25519()];
    const earlier = await start(ada);
    const expiring = await start(ada);
    assert.equal((await join(earlier.secret, phone)).body.error, 'gone');
    await expectStatus(200, join(expiring.secret, phone));
    cloud.clock.advance(5 * minuteMs);
    assert.equal((await join(expiring.secret, phone)).body.error, 'gone');
    assert.equal((await confirm(ada, expiring.id, phone)).body.error, 'gone');
    const used = await start(ada);
    await expectStatus(200, join(used.secret, phone));
    await expectStatus(200, confirm(ada, used.id, phone));
    assert.equal((await confirm(ada, used.id, phone)).body.error, 'gone');
    assert.equal((await join(used.secret, other)).body.error, 'gone');
    for (const guess of ['x', 'A'.repeat(43)]) assert.equal((await join(guess, other)).body.error, 'gone');
  });

  test('a token without a key of the account adds no browser, nor does a signature for something else', async () => {
    const [ada, eve] = [await cloud.person(), await cloud.person()];
    const phone = ed25519();
    const { id, secret } = await start(ada);
    await expectStatus(200, join(secret, phone));
    const other = await start(eve);
    assert.equal((await confirm(ada, id, phone, eve)).body.error, 'signature_invalid');
    assert.equal((await confirm(ada, id, phone, phone)).body.error, 'signature_invalid');
    assert.equal((await confirm(ada, other.id, phone)).body.error, 'signature_invalid');
    assert.equal((await confirm({ ...eve, id: ada.id }, id, phone, ada)).body.error, 'conflict', 'no key joined hers');
    assert.deepEqual([await listed(ada), await listed(eve)], [[], []]);
  });

  test('a browser proves that its key is its own, is new and fits', async () => {
    const [ada, eve] = [await cloud.person(), await cloud.person()];
    const { secret } = await start(ada);
    assert.equal((await join(secret, ed25519(), { by: eve })).body.error, 'signature_invalid');
    assert.equal((await join(secret, eve)).body.error, 'conflict');
    assert.equal((await join(secret, p256())).body.error, 'unprocessable');
    assert.equal((await pairingOf(ada)).browser, null);

    // A key that is registered between opening and confirming stays with its account.
    const late = ed25519();
    const { id, secret: next } = await start(ada);
    await expectStatus(200, join(next, late));
    const own = await cloud.person(undefined, late);
    assert.equal((await confirm(ada, id, late)).body.error, 'conflict');
    assert.notEqual(own.id, ada.id);
  });

  test('the secret is stored as a hash only, and disabled accounts and gateways add nothing', async () => {
    const ada = await cloud.person();
    const { secret } = await start(ada);
    const rows = JSON.stringify(await cloud.store.db.selectFrom('pairings').selectAll().execute());
    assert.ok(rows.includes(hash('sha256', secret, 'base64url')) && !rows.includes(secret));
    await disableIdentity(ada.id, cloud);
    assert.equal((await join(secret, ed25519())).body.error, 'gone');
    assert.equal((await cloud.call('POST', '/identity/pairing', { as: await cloud.person('gateway') })).status, 403);
  });

  test('an account has at most ten browsers besides the first', async () => {
    const ada = await cloud.person();
    const pending = await start(ada);
    for (let n = 0; n < maxBrowsers; n++) await add(ada);
    assert.equal((await cloud.call('POST', '/identity/pairing', { as: ada })).body.error, 'quota_exceeded');
    assert.equal((await join(pending.secret, ed25519())).body.error, 'gone');
  });

  test('removing a browser ends sign-ins that the list no longer has', async () => {
    const ada = await cloud.person();
    const phone = await add(ada);
    const now = cloud.clock.now();
    const later = { identity_id: ada.id, description: '', created_at: now, used_at: now, expires_at: now + minuteMs };
    await cloud.store.write(async ({ db }) => {
      for (let n = 0; n < 200; n++) await insertSignIn(db, { ...later, id: newId('tok', now + n), browser_id: null });
      await keepNewest(db, ada.id, 200);
    });
    await expectStatus(204, cloud.call('DELETE', `/identity/browsers/${phone.browserId}`, { as: ada }));
    assert.equal(await statusOf(phone), 401);
  });
});
