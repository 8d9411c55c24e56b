import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { rotateKeys } from '#cloud/identity/key-ring.ts';
import { amount } from '../amount.ts';
import { brokerToken } from '../cloud/gateway-client.ts';
import { openCloud, type Person, type TestCloud } from '../cloud/open-cloud.ts';
import { ed25519 } from '../cloud/people.ts';
import { listenOnLoopback } from '../listen-on-loopback.ts';
import { freshDatabase, postgresMissing } from '../services/postgres.ts';
import { until } from '../until.ts';
import { encode, forgedTokens } from './forged-tokens.ts';

describe('forged tokens', () => {
  let cloud: TestCloud;
  let ada: Person;
  before(async () => {
    cloud = await openCloud();
    ada = await cloud.person();
  });
  after(() => cloud.close());

  const statusOf = async (token: string) => (await cloud.call('GET', '/identity/me', { as: { ...ada, token } })).status;

  async function originOf(person: Person) {
    const rows = await cloud.store.db.selectFrom('signing_keys').selectAll().execute();
    const current = rows.find(({ stage }) => stage === 'current')!;
    const { kid: nextKid } = rows.find(({ stage }) => stage === 'next')!;
    return { token: person.token, kid: current.kid, nextKid, privateKey: createPrivateKey(current.private_key) };
  }

  test('more than sixty are each refused with 401', async () => {
    const forged = Object.entries(forgedTokens(await originOf(ada)));
    assert.ok(forged.length > 60, `${forged.length}`);
    for (const [title, token] of forged) {
      const reply = await cloud.call('GET', '/identity/me', { as: { ...ada, token } });
      assert.equal(reply.status, 401, title);
      assert.match(reply.headers['www-authenticate']!, /^Bearer/, title);
    }
    assert.equal(await statusOf(ada.token), 200);
  });

  test('the broker token of a gateway is refused by the API', async () => {
    const org = await cloud.organization(ada);
    const gateway = await cloud.claim(ada, org);
    const asIdentity = await cloud.person('gateway', gateway);
    assert.equal(await statusOf(await brokerToken(gateway, cloud.clock.now())), 401);
    assert.equal(await statusOf(asIdentity.token), 200);
  });

  test('a token in another spelling is at most the same token, and ends with it', async () => {
    const person = await cloud.person();
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = letters.indexOf(person.token.at(-1)!);
    const spellings = [person.token.slice(0, -1) + letters[last ^ 1], `${person.token}=`, `${person.token}==`];
    for (const token of spellings) {
      const { status, body } = await cloud.call('GET', '/identity/me', { as: { ...person, token } });
      assert.ok(status === 401 || body.identity_id === person.id, token);
    }
    await cloud.call('POST', '/auth/revoke', { as: person });
    for (const token of [person.token, ...spellings]) assert.equal(await statusOf(token), 401);
  });

  test('no kid grants access, and no address in a header is fetched', async () => {
    let asked = 0;
    const listener = createServer((_, reply) => reply.end('{"keys":[]}'));
    listener.on('connection', () => asked++);
    const url = `http://127.0.0.1:${await listenOnLoopback(listener)}/keys.json`;
    const { privateKey } = ed25519();
    const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
    const payload = ada.token.split('.')[1]!;
    const { kid: ours } = await originOf(ada);
    const kid = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom(
        ours,
        `${ours}\u0000`,
        ` ${ours}`,
        ours.toUpperCase(),
        '../',
        '%2e%2e/',
        'file:///dev/stdin',
        url,
      ),
      fc.jsonValue({ maxDepth: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(kid, async (kid) => {
        const input = `${encode({ alg: 'EdDSA', typ: 'JWT', kid, jwk, jku: url, x5u: url })}.${payload}`;
        const token = `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
        assert.equal(await statusOf(token), 401);
      }),
      { numRuns: amount(400) },
    );
    listener.close();
    assert.equal(asked, 0);
  });
});

test('key rotation refuses no valid token, at either of two processes', {
  skip: postgresMissing(),
}, async () => {
  const database = await freshDatabase();
  const clouds = [
    await openCloud({ databaseUrl: database.url }),
    await openCloud({ databaseUrl: database.url }),
  ] as const;
  const [one, other] = clouds;
  const over = new AbortController();
  try {
    for (const cloud of clouds) await cloud.start();
    const ada = await one.person();
    const tokens = [ada.token];
    const refused: string[] = [];
    let asked = 0;
    const ask = async (cloud: TestCloud, token: string): Promise<void> => {
      const { status } = await cloud.call('GET', '/identity/me', { as: { ...ada, token } });
      asked++;
      if (status !== 200) refused.push(`${status} for ${token.split('.')[0]}`);
    };
    const load = clouds.map(async (cloud, index) => {
      while (!over.signal.aborted) {
        const token = await cloud.signIn(ada);
        tokens[index + 1] = token;
        for (const known of tokens) if (known) await Promise.all([ask(one, known), ask(other, known)]);
        await sleep(1);
      }
    });
    const kidsAt = async (cloud: TestCloud): Promise<number> =>
      (await cloud.call('GET', '/.well-known/jwks.json')).body.keys.length;
    for (let rotations = 1; rotations <= amount(12); rotations++) {
      await one.store.write(({ db }) => rotateKeys(db, one.clock.now(), 24 * 3_600_000));
      for (const cloud of clouds) await until(async () => (await kidsAt(cloud)) >= 2 + rotations);
    }
    await until(() => asked > 100);
    over.abort();
    await Promise.all(load);
    assert.deepEqual(refused, [], `${refused.length} of ${asked}`);
  } finally {
    over.abort();
    for (const cloud of clouds) await cloud.close();
    await database.drop();
  }
});
