import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { ed25519, p256 } from '#test/cloud/people.ts';
import { enrol } from '../identity/register.ts';
import { openAdmission, passwordOf, type TokenChanges } from './testing/trial.ts';
import type { Admission, Admitted } from './transport.ts';

const unsigned = (header: object, claims: object): string =>
  `${[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

onEachEngine('admission to the broker', async (cloud) => {
  const { admission, sessions } = await openAdmission(cloud);
  const owner = await cloud.person();
  const orgId = await cloud.organization(owner);
  const gateway = await cloud.claim(owner, orgId);

  const seconds = () => Math.floor(cloud.clock.now() / 1000);
  const login = async (changes: Partial<Parameters<Admission['login']>[0]> = {}): Promise<Admitted | undefined> => {
    const password = changes.password ?? (await passwordOf(gateway, cloud.clock.now()));
    const { serial } = gateway;
    return admission.login({ clientId: serial, username: serial, address: '127.0.0.1', ...changes, password });
  };
  const withToken = async (changes: TokenChanges) =>
    login({ password: await passwordOf(gateway, cloud.clock.now(), changes) });

  test('a claimed gateway is admitted until its token ends', async () => {
    const admitted = await login();
    assert.deepEqual(admitted, {
      client: { kind: 'gateway', serial: gateway.serial },
      expiresAt: (seconds() + 3600) * 1000,
    });
  });

  const good: Record<string, () => TokenChanges> = {
    'the serial as subject instead of the header': () => ({
      header: { device: undefined },
      claims: { sub: gateway.serial },
    }),
    'the serial in both places': () => ({ claims: { sub: gateway.serial } }),
    'a clock that is 50 s ahead': () => ({ claims: { iat: seconds() + 50, exp: seconds() + 3650 } }),
    'only a minute to live': () => ({ claims: { exp: seconds() + 60 } }),
  };
  for (const [says, changes] of Object.entries(good)) {
    test(`a token with ${says} is good`, async () => assert.ok(await withToken(changes())));
  }

  const bad: Record<string, () => TokenChanges> = {
    'the key of another': () => ({ key: p256().privateKey }),
    'no serial': () => ({ header: { device: undefined } }),
    'the serial of another in the header': () => ({
      header: { device: 'other-gateway' },
      claims: { sub: gateway.serial },
    }),
    'the serial of another as subject': () => ({ claims: { sub: 'other-gateway' } }),
    'a serial that is not text': () => ({ header: { device: [gateway.serial] } }),
    'no end': () => ({ claims: { exp: undefined } }),
    'no beginning': () => ({ claims: { iat: undefined } }),
    'its end behind it': () => ({ claims: { iat: seconds() - 600, exp: seconds() - 1 } }),
    'its end more than an hour after its beginning': () => ({ claims: { exp: seconds() + 3601 } }),
    'its beginning too far ahead': () => ({ claims: { iat: seconds() + 61, exp: seconds() + 120 } }),
    'a secret for a key (HS256)': () => ({
      header: { alg: 'HS256' },
      key: Buffer.from(gateway.publicKey, 'base64'),
    }),
  };
  for (const [says, changes] of Object.entries(bad)) {
    test(`a token with ${says} is refused`, async () => assert.equal(await withToken(changes()), undefined));
  }

  test('passwords that are not tokens are refused', async () => {
    const claims = { iat: seconds(), exp: seconds() + 60 };
    const endless = `{"iat":1e999,"exp":1e999}`;
    for (const password of [
      '',
      'secret',
      '..',
      owner.token,
      'x'.repeat(100_000),
      unsigned({ alg: 'none', device: gateway.serial }, claims),
      unsigned({ alg: 'ES256', device: gateway.serial }, claims),
      `${unsigned({ alg: 'ES256', device: gateway.serial }, {})}${Buffer.from(endless).toString('base64url')}`,
    ]) {
      assert.equal(await login({ password }), undefined, password.slice(0, 40));
    }
  });

  test('a gateway that nobody claimed is refused, and one that was released', async () => {
    const unclaimed = p256();
    const clientId = unclaimed.serial;
    const password = await passwordOf(unclaimed, cloud.clock.now());
    assert.equal(await login({ clientId, username: clientId, password }), undefined);
    await cloud.claim(owner, orgId, unclaimed);
    assert.ok(await login({ clientId, username: clientId, password }));
    await cloud.call('DELETE', `/gateways/${clientId}`, { as: owner });
    assert.equal(await login({ clientId, username: clientId, password }), undefined);
  });

  test('a token does not admit another gateway', async () => {
    const other = await cloud.claim(owner, orgId);
    assert.equal(await login({ clientId: other.serial, username: other.serial }), undefined);
  });

  test('a client id is the serial, or carries it first or last behind a dash', async () => {
    const { serial } = gateway;
    for (const clientId of [serial, `${serial}-1`, `mqttjs-${serial}`]) assert.ok(await login({ clientId }), clientId);
    for (const clientId of [
      '',
      '#',
      'x',
      `${serial}x`,
      `x${serial}`,
      `${serial}-`,
      `-${serial}`,
      `a-${serial}-b`,
      `${serial}-#`,
      `${serial}-\0`,
      `${serial}/1`,
      `${serial}-${'x'.repeat(200)}`,
    ]) {
      assert.equal(await login({ clientId }), undefined, JSON.stringify(clientId));
    }
  });

  test('user names with wildcards are refused', async () => {
    for (const username of ['', '#', '+', 'a/+', '$SYS', `${gateway.serial}/#`]) {
      assert.equal(await login({ username, clientId: username }), undefined, username);
    }
  });

  test('a member is admitted to the organizations they are in', async () => {
    const member = await cloud.member(owner, orgId, 'viewer');
    const orgIds = async () => {
      const admitted = await login({ username: member.id, clientId: `${member.id}-phone`, password: member.token });
      return admitted?.client.kind === 'member' && admitted.client.orgIds;
    };
    assert.deepEqual(await orgIds(), [orgId]);
    const second = await cloud.organization(member);
    assert.deepEqual(await orgIds(), [orgId, second].toSorted());
    await cloud.call('DELETE', `/organizations/${orgId}/members/${member.id}`, { as: owner });
    assert.deepEqual(await orgIds(), [second]);
  });

  test('a connected member gets the organizations they have joined since', async () => {
    const member = await cloud.member(owner, orgId, 'viewer');
    const { client } = (await login({ username: member.id, clientId: member.id, password: member.token }))!;
    const second = await cloud.organization(member);
    assert.ok(!admission.maySubscribe(client, `orgs/${second}/#`));
    const renewed = await admission.renew(client);
    assert.deepEqual(renewed, { ...client, orgIds: [orgId, second].toSorted() });
    const { client: machine } = (await login())!;
    assert.deepEqual(await admission.renew(machine), machine);
  });

  test('a member is refused with the token of somebody else, and once the token is revoked', async () => {
    const [ada, bob] = [await cloud.person(), await cloud.person()];
    const enter = (changes: object) => login({ username: ada.id, clientId: ada.id, password: ada.token, ...changes });
    assert.ok(await enter({}));
    assert.equal(await enter({ password: bob.token }), undefined);
    await cloud.call('POST', '/auth/revoke', { as: ada });
    sessions.forget();
    assert.equal(await enter({}), undefined);
  });

  test('a platform administrator sees every organization', async () => {
    const key = parsePublicKey(ed25519().publicKey);
    const { identity } = await cloud.store.write(({ db }) => enrol({ key, type: 'admin' }, db, cloud.clock.now()));
    const { token } = await cloud.store.write(({ db }) =>
      sessions.open(identity, { db, description: 'test', publicKey: key.text }),
    );
    const admitted = await login({ username: identity.id, clientId: identity.id, password: token });
    assert.ok(admitted?.client.kind === 'member' && admitted.client.orgIds === 'every');
    assert.ok(admission.maySubscribe(admitted.client, `orgs/${orgId}/#`));
    assert.ok(!admission.maySubscribe(admitted.client, `#`));
    assert.deepEqual(await admission.renew(admitted.client), admitted.client);
  });

  test('no client is admitted while the database is unavailable', async () => {
    const broken = await openCloud();
    const { admission } = await openAdmission(broken);
    await broken.close();
    const { serial } = gateway;
    const password = await passwordOf(gateway, cloud.clock.now());
    assert.equal(await admission.login({ clientId: serial, username: serial, password, address: '' }), undefined);
    const { id, token } = owner;
    assert.equal(await admission.login({ clientId: id, username: id, password: token, address: '' }), undefined);
  });
});
