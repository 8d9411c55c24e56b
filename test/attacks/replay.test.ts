import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tableNames } from '#cloud/store/migrate.ts';
import type { Schema } from '#cloud/store/schema.ts';
import { deleteExpiredTokens } from '#cloud/store/tokens.ts';
import { hourMs } from '#contract/time.ts';
import { amount } from '../amount.ts';
import { openCloud, type Person, type TestCloud } from '../cloud/open-cloud.ts';
import { ed25519, p256, type Signer } from '../cloud/people.ts';
import { freshDatabase, postgresMissing } from '../services/postgres.ts';
import { twin } from './twin.ts';

describe('replays of signed messages', () => {
  let cloud: TestCloud;
  before(async () => {
    cloud = await openCloud();
  });
  after(() => cloud.close());

  const challengeFor = async ({ publicKey }: Signer): Promise<string> =>
    (await cloud.call('POST', '/auth/challenge', { body: { public_key: publicKey } })).body.challenge;
  const verify = async ({ publicKey }: Signer, challenge: string, signature: string) =>
    cloud.call('POST', '/auth/verify', { body: { public_key: publicKey, challenge, signature } });

  test('a login works once with either S, and the second is a replay', async () => {
    const gateway = await cloud.person('gateway');
    for (let round = 0; round < amount(40); round++) {
      const challenge = await challengeFor(gateway);
      const signature = gateway.sign(challenge);
      const [first, second] = round % 2 === 0 ? [signature, twin(signature)] : [twin(signature), signature];
      assert.equal((await verify(gateway, challenge, first)).status, 200);
      for (const again of [second, first]) {
        assert.equal((await verify(gateway, challenge, again)).body.error, 'challenge_invalid');
      }
    }
  });

  test('of twelve keys and twelve challenges, each key works with its own challenge only', async () => {
    const people = [
      ...(await Promise.all(Array.from({ length: 6 }, () => cloud.person()))),
      ...(await Promise.all(Array.from({ length: 6 }, () => cloud.person('gateway')))),
    ];
    const challenges = await Promise.all(people.map(challengeFor));
    for (const [whose, challenge] of challenges.entries()) {
      for (const person of people) {
        if (person === people[whose]) continue;
        assert.equal((await verify(person, challenge, person.sign(challenge))).body.error, 'challenge_invalid');
        const signedByOwner = await verify(person, challenge, people[whose]!.sign(challenge));
        assert.equal(signedByOwner.body.error, 'challenge_invalid');
        const signedByOther = await verify(people[whose]!, challenge, person.sign(challenge));
        assert.equal(signedByOther.body.error, 'signature_invalid');
      }
      assert.equal((await verify(people[whose]!, challenge, people[whose]!.sign(challenge))).status, 200);
    }
  });

  test('a claim, a wallet proof and the input of a token do not sign in, and a login does not claim', async () => {
    const gateway = p256();
    const asIdentity: Person = await cloud.person('gateway', gateway);
    const owner = await cloud.person();
    const org = await cloud.organization(owner);
    const claim = cloud.claimOf(owner, org, gateway);
    const jwtInput = asIdentity.token.split('.').slice(0, 2).join('.');
    for (const text of [claim.message, `${gateway.serial}:wallet`, jwtInput, `${jwtInput}.a.b.c`]) {
      assert.equal((await verify(gateway, text, gateway.sign(text))).body.error, 'challenge_invalid', text);
    }
    const challenge = await challengeFor(gateway);
    assert.ok(!challenge.includes('|'));
    const body = { ...claim, message: challenge, signature: gateway.sign(challenge) };
    assert.equal((await cloud.call('POST', '/gateways/claim', { as: owner, body })).status, 400);
  });

  test('a clock that is set back by an hour revives neither a used challenge nor a revoked token', async () => {
    const person = await cloud.person();
    const challenge = await challengeFor(person);
    const signature = person.sign(challenge);
    assert.equal((await verify(person, challenge, signature)).status, 200);
    await cloud.call('POST', '/auth/revoke', { as: person });

    const passAndGoBack = async (ms: number): Promise<void> => {
      cloud.clock.advance(ms);
      await cloud.store.write(({ db }) => deleteExpiredTokens(db, cloud.clock.now()));
      cloud.clock.advance(-hourMs);
    };
    await passAndGoBack(hourMs);
    assert.equal((await verify(person, challenge, signature)).body.error, 'challenge_invalid');
    await passAndGoBack(24.5 * hourMs);
    assert.equal((await cloud.call('GET', '/identity/me', { as: person })).status, 401);
  });

  test('two thousand challenges use no storage, for known and unknown keys', async () => {
    const known = await cloud.person();
    const { db } = cloud.store;
    const names = [...(await tableNames(db))] as (keyof Schema)[];
    assert.ok(names.includes('used_challenges'), names.join());
    const rows = () =>
      Promise.all(names.map(async (name) => [name, (await db.selectFrom(name).selectAll().execute()).length]));
    const rowsBefore = await rows();
    for (let round = 0; round < 20; round++) {
      const stranger = ed25519();
      await Promise.all(Array.from({ length: 100 }, (_, at) => challengeFor(at % 2 === 0 ? known : stranger)));
    }
    assert.deepEqual(await rows(), rowsBefore);
  });
});

test('a claim that one process accepted is a replay at another, and after a restart', {
  skip: postgresMissing(),
}, async () => {
  const database = await freshDatabase();
  const open = () => openCloud({ databaseUrl: database.url });
  const first = await open();
  try {
    const [ada, bob] = [await first.person(), await first.person()];
    const [hers, his] = [await first.organization(ada), await first.organization(bob)];
    const gateway = p256();
    const claim = first.claimOf(ada, hers, gateway);
    const send = async (cloud: TestCloud, as: Person, body: object) =>
      cloud.call('POST', '/gateways/claim', { as, body });
    assert.equal((await send(first, ada, claim)).status, 201);
    const second = await open();
    try {
      assert.equal((await send(second, bob, second.claimOf(bob, his, gateway))).status, 200);
      for (const atMs of [0, 1000, 11 * 60_000]) {
        second.clock.advance(atMs);
        assert.equal((await send(second, ada, claim)).status, 403, `${atMs} ms later`);
      }
      await second.call('DELETE', `/gateways/${gateway.serial}`, { as: bob });
      assert.equal((await send(second, ada, claim)).status, 403);
    } finally {
      await second.close();
    }
    const restarted = await open();
    try {
      assert.equal((await send(restarted, ada, claim)).status, 403);
    } finally {
      await restarted.close();
    }
  } finally {
    await first.close();
    await database.drop();
  }
});
