import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { brokerToken } from '../cloud/gateway-client.ts';
import { internalToken, openCloud, type Person, type TestCloud } from '../cloud/open-cloud.ts';
import { ed25519, p256, type Signer } from '../cloud/people.ts';
import { asDer, type HostileSignatures, hostileEd25519, hostileKeys, hostileP256 } from './hostile-signatures.ts';
import { twin } from './twin.ts';

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64');
const base64 = (bytes: Buffer): string => bytes.toString('base64');

suite('crafted signatures and keys', () => {
  let cloud: TestCloud;
  let ada: Person;
  let org: string;
  before(async () => {
    cloud = await openCloud();
    ada = await cloud.person();
    org = await cloud.organization(ada);
  });
  after(() => cloud.close());

  const challengeFor = async ({ publicKey }: Signer): Promise<string> =>
    (await cloud.call('POST', '/auth/challenge', { body: { public_key: publicKey } })).body.challenge;
  const verify = ({ publicKey }: Signer, challenge: string, signature: string) =>
    cloud.call('POST', '/auth/verify', { body: { public_key: publicKey, challenge, signature } });

  for (const { title, type, hostile, atLeast } of [
    { title: 'Ed25519', type: undefined, hostile: hostileEd25519, atLeast: 50 },
    { title: 'P-256', type: 'gateway', hostile: hostileP256, atLeast: 45 },
  ]) {
    test(`no crafted signature of ${title} signs in, and the original does`, async () => {
      const person = await cloud.person(type);
      const challenge = await challengeFor(person);
      const good = person.sign(challenge);
      const all = Object.entries(hostile(bytesOf(good)));
      assert.ok(all.length >= atLeast, `only ${all.length}`);
      for (const [name, bytes] of all) {
        const { status, body } = await verify(person, challenge, base64(bytes));
        assert.ok([400, 401, 403].includes(status), `${name}: ${status}`);
        assert.ok(['signature_invalid', 'invalid_request'].includes(body.error), `${name}: ${body.error}`);
      }
      assert.equal((await verify(person, challenge, good)).status, 200);
    });
  }

  test('no crafted signature claims a gateway, and the original does', async () => {
    const gateway = p256();
    const claim = cloud.claimOf(ada, org, gateway);
    const send = (signature: string) =>
      cloud.call('POST', '/gateways/claim', { as: ada, body: { ...claim, signature } });
    for (const [name, bytes] of Object.entries(hostileP256(bytesOf(claim.signature)))) {
      const { status } = await send(base64(bytes));
      assert.ok(status === 400 || status === 403, `${name}: ${status}`);
    }
    assert.equal((await send(claim.signature)).status, 201);
  });

  const replaced = (token: string, signatures: (good: Buffer) => HostileSignatures): [string, string][] => {
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const hostile = Object.entries(signatures(Buffer.from(signature, 'base64url')));
    return hostile.map(([name, bytes]) => [name, `${header}.${payload}.${bytes.toString('base64url')}`]);
  };

  test('no crafted signature makes a valid access token, and the original does', async () => {
    const statusOf = async (token: string) =>
      (await cloud.call('GET', '/identity/me', { headers: { authorization: `Bearer ${token}` } })).status;
    for (const [name, token] of replaced(ada.token, hostileEd25519)) assert.equal(await statusOf(token), 401, name);
    assert.equal(await statusOf(ada.token), 200);
  });

  test('no crafted signature makes a valid gateway token, where DER is refused too, and the original does', async () => {
    const gateway = await cloud.claim(ada, org);
    const resultOf = async (password: string): Promise<string> => {
      const headers = { authorization: `Bearer ${internalToken}` };
      const body = { clientid: gateway.serial, username: gateway.serial, password };
      return (await cloud.call('POST', '/internal/mqtt/auth', { headers, body })).body.result;
    };
    const token = await brokerToken(gateway, cloud.clock.now());
    const withDer = (good: Buffer): HostileSignatures => ({ ...hostileP256(good), 'strict DER': asDer(good) });
    for (const [name, forged] of replaced(token, withDer)) assert.equal(await resultOf(forged), 'deny', name);
    assert.equal(await resultOf(token), 'allow');
  });

  // Half of all honest signatures have a high s, so it must be accepted; single use depends on challenge and nonce.
  test('a high s and strict DER are accepted for logins and claims', async () => {
    const gateway = await cloud.person('gateway');
    for (const spell of [(good: string) => good, twin, (good: string) => base64(asDer(bytesOf(good)))]) {
      const challenge = await challengeFor(gateway);
      assert.equal((await verify(gateway, challenge, spell(gateway.sign(challenge)))).status, 200);
      const claim = cloud.claimOf(ada, org, p256());
      const body = { ...claim, signature: spell(claim.signature) };
      assert.equal((await cloud.call('POST', '/gateways/claim', { as: ada, body })).status, 201);
    }
  });

  test('invalid keys are refused wherever a key is accepted', async () => {
    const gateway = p256();
    const claim = cloud.claimOf(ada, org, gateway);
    const signature = ed25519().sign('x');
    const keys = Object.entries(hostileKeys(bytesOf(gateway.publicKey).subarray(1)));
    assert.ok(keys.length >= 30, `only ${keys.length}`);
    for (const [name, bytes] of keys) {
      const public_key = base64(bytes);
      for (const [url, body, as] of [
        ['/identity/register', { public_key }],
        ['/identity/register', { public_key, type: 'gateway' }],
        ['/auth/challenge', { public_key }],
        ['/auth/verify', { public_key, challenge: 'x', signature }],
        ['/gateways/claim', { ...claim, public_key }, ada],
      ] as const) {
        const { status } = await cloud.call('POST', url, { body, as });
        assert.equal(status, 400, `${name} at ${url}`);
      }
    }
  });
});
