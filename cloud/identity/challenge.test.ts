import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { hourMs } from '#contract/time.ts';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { openCloud, type TestCloud } from '#test/cloud/open-cloud.ts';
import { ed25519 } from '#test/cloud/people.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { createChallenges } from './challenge.ts';

const key = parsePublicKey(ed25519().publicKey);
const secret = createSecretKey(Buffer.alloc(32, 7));

/** A process and its two clocks, which go on together until the time of day is set. */
function start() {
  const [wall, monotonic] = [createFakeClock(Date.UTC(2026, 5, 1)), createFakeClock(5_000_000)];
  const challenges = createChallenges({ baseUrl: () => 'https://cloud.test', secret: () => secret, monotonic });
  return {
    wall,
    issue: (): string => challenges.issue(key, wall.now()).challenge,
    isGood: (challenge: string): boolean => challenges.check(challenge, key, wall.now()) !== undefined,
    wait(ms: number): void {
      wall.advance(ms);
      monotonic.advance(ms);
    },
  };
}

test('an unused expired challenge stays invalid when the clock is set back', () => {
  const { wall, wait, issue, isGood } = start();
  const challenge = issue();
  wait(119_999);
  assert.ok(isGood(challenge));
  wait(1);
  assert.ok(!isGood(challenge));
  for (const backMs of [1, 1000, 60_000, hourMs, 24 * hourMs]) {
    wall.advance(-backMs);
    assert.ok(!isGood(challenge), `${backMs} ms back`);
  }
});

test('a clock that is set back neither prolongs a challenge nor keeps anybody from a new one', () => {
  const { wall, wait, issue, isGood } = start();
  const before = issue();
  wait(60_000);
  wall.advance(-hourMs);
  assert.ok(isGood(before));
  const after = issue();
  wait(60_000);
  assert.deepEqual([isGood(before), isGood(after)], [false, true]);
  wait(60_000);
  assert.ok(!isGood(after));
});

test('a process takes the challenges of another by the time of day alone', () => {
  const [one, other] = [start(), start()];
  const challenge = one.issue();
  one.wait(hourMs);
  assert.ok(other.isGood(challenge));
  other.wait(120_000);
  assert.ok(!other.isGood(challenge));
});

test('a challenge that one process took is used at another too, and after a restart', {
  skip: postgresMissing(),
}, async () => {
  const database = await freshDatabase();
  const open = () => openCloud({ databaseUrl: database.url });
  const first = await open();
  try {
    const { publicKey: public_key, sign } = await first.person();
    const ask = async () => (await first.call('POST', '/auth/challenge', { body: { public_key } })).body.challenge;
    const [challenge, other] = [await ask(), await ask()];
    const verify = async (cloud: TestCloud, text: string) =>
      (await cloud.call('POST', '/auth/verify', { body: { public_key, challenge: text, signature: sign(text) } }))
        .status;
    assert.equal(await verify(first, challenge), 200);
    const second = await open();
    try {
      assert.equal(await verify(second, challenge), 401);
      const both = await Promise.all([first, second].map((cloud) => verify(cloud, other)));
      assert.deepEqual(new Set(both), new Set([200, 401]));
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
    await database.drop();
  }
});
