import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { ed25519, p256 } from '#test/cloud/people.ts';
import { until } from '#test/until.ts';
import { connectMember } from '../broker/testing/trial.ts';
import type { Store } from '../store/store.ts';
import { readAccessVersion } from '../store/tokens.ts';
import { createIdentity, disableIdentity, enableIdentity } from './identities.ts';

/** As another process has it on the same file: what it announces is not heard here. */
const storeOfAnother = (store: Store): Store => ({
  ...store,
  write: (work) => store.write((write) => work({ ...write, announce: async () => {} })),
});

onEachEngine('identities made by the operator', (cloud) => {
  test('a reserved type can be made and signs in', async () => {
    const signer = ed25519();
    const key = parsePublicKey(signer.publicKey);
    const { identity, isNew } = await createIdentity({ key, type: 'root', name: 'Ada' }, cloud);
    assert.equal(isNew, true);
    const token = await cloud.signIn(signer);
    const { body } = await cloud.call('GET', '/identity/me', { as: { ...signer, id: identity.id, token } });
    assert.deepEqual([body.identity_id, body.type, body.name], [identity.id, 'root', 'Ada']);
  });

  test('the same key again is the same identity, as another type it is refused', async () => {
    const key = parsePublicKey(ed25519().publicKey);
    const first = await createIdentity({ key, type: 'admin', name: undefined }, cloud);
    const again = await createIdentity({ key, type: 'admin', name: undefined }, cloud);
    assert.deepEqual([again.identity.id, again.isNew], [first.identity.id, false]);
    await assert.rejects(createIdentity({ key, type: 'root', name: undefined }, cloud), { code: 'conflict' });
  });

  test('a key of the wrong kind or a blank name is refused with a sentence', async () => {
    const p256Key = parsePublicKey(p256().publicKey);
    await assert.rejects(createIdentity({ key: p256Key, type: 'root', name: undefined }, cloud), {
      message: 'An identity of type root needs an Ed25519 key; this one is ES256.',
    });
    await assert.rejects(createIdentity({ key: p256Key, type: 'internal', name: ' ' }, cloud), {
      message: /^A name/,
    });
  });

  test('disabling tells every process and each organization, once; enabling undoes it', async () => {
    const person = await cloud.person();
    const orgId = await cloud.organization(person);
    const versions = [await readAccessVersion(cloud.store.db)];
    const { disabled_at } = await disableIdentity(person.id, cloud);
    assert.equal(disabled_at, cloud.clock.now());
    await disableIdentity(person.id, cloud);
    versions.push(await readAccessVersion(cloud.store.db));
    await assert.rejects(cloud.signIn(person), /disabled by the operator/);

    await enableIdentity(person.id, cloud);
    versions.push(await readAccessVersion(cloud.store.db));
    assert.equal(new Set(versions).size, 3);
    await cloud.signIn(person);
    const { body } = await cloud.call('GET', `/organizations/${orgId}/audit`, { as: person });
    const entries = body.map(({ actor, action, object }: Record<string, string>) => [actor, action, object]);
    assert.deepEqual(entries.slice(0, 2), [
      ['operator', 'identity.enabled', person.id],
      ['operator', 'identity.disabled', person.id],
    ]);
    assert.notEqual(entries[2]?.[0], 'operator');
  });

  test('disabling, in whichever process, ends connections to the broker too', async () => {
    await cloud.start();
    const person = await cloud.person();
    const { mqtt } = cloud.transport.urls;
    const client = await connectMember(mqtt!, person);
    await disableIdentity(person.id, { ...cloud, store: storeOfAnother(cloud.store) });
    await until(() => !client.connected);
    await assert.rejects(connectMember(mqtt!, person), { code: 5 });
  });

  test('an identity that is not there cannot be disabled', async () => {
    await assert.rejects(disableIdentity('idt-none', cloud), { message: 'There is no identity idt-none.' });
  });
});
