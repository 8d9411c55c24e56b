import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { streamSite } from '#contract/cloud/telemetry.ts';
import { createLog } from '#lib/log.ts';
import { readEvents } from '#test/cloud/event-reader.ts';
import { openCloud, type Person } from '#test/cloud/open-cloud.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import type { Db } from '../store/engine.ts';
import { createStreams } from './streams.ts';

const away: Db = new Proxy({} as Db, {
  get() {
    throw new Error('the database is away');
  },
});

/** Two members who follow a site, of whom one has left, and a database that fails when the test says so. */
async function open(t: TestContext) {
  const cloud = await openCloud();
  const owner = await cloud.person();
  const org = await cloud.organization(owner);
  const site = await cloud.site(owner, org);
  let asked = 0;
  let failsAt: number | undefined;
  const store = {
    ...cloud.store,
    get db() {
      asked++;
      return asked === failsAt ? away : cloud.store.db;
    },
  };
  const { clock } = cloud;
  const streams = createStreams({
    store,
    maxPerIdentity: 10,
    clock,
    log: createLog({ level: 'silent', name: 'test' }),
  });
  let caller = owner;
  const server = createServer((_, response) =>
    streams
      .answer(
        {
          caller: {
            identityId: caller.id,
            type: 'user',
            tokenId: caller.id,
            keyId: decodeProtectedHeader(caller.token).kid!,
            expiresAt: Number.POSITIVE_INFINITY,
          },
          route: streamSite,
          params: { site_id: site },
        },
        async () => {},
      )
      .open(response, {}),
  );
  const port = await listenOnLoopback(server);
  t.after(async () => {
    streams.close();
    server.closeAllConnections();
    server.close();
    await cloud.close();
  });

  const follow = (as: Person) => {
    caller = as;
    return readEvents(`http://127.0.0.1:${port}`, {});
  };
  const [stays, leaves] = [await cloud.member(owner, org, 'viewer'), await cloud.member(owner, org, 'viewer')];
  const [stayed, left] = [await follow(stays), await follow(leaves)];
  const removed = await cloud.call('DELETE', `/organizations/${org}/members/${leaves.id}`, { as: owner });
  assert.equal(removed.status, 204);
  const failAt = (lookup: number): void => {
    failsAt = asked + lookup;
  };
  return { streams, stayed, left, failAt, follow, stays, leaves, askedSoFar: () => asked };
}

for (const { says, lookup } of [
  { says: 'who follows', lookup: 1 },
  { says: 'what they may see', lookup: 2 },
]) {
  test(`a failure of the database to read ${says} ends no stream, and does not keep others from ending`, async (t) => {
    const { streams, stayed, left, failAt } = await open(t);
    failAt(lookup);
    await assert.rejects(streams.recheck(), /the database is away/);
    await left.ended();
    assert.deepEqual(left.events.at(-1)?.data, { reason: 'access_lost' });
    assert.deepEqual([stayed.events, streams.count()], [[], 1]);
  });

  test(`after a failure to read ${says} the database is queried again soon`, async (t) => {
    const { streams, stayed, left, failAt } = await open(t);
    failAt(2 + lookup);
    await assert.rejects(streams.recheck(), /the database is away/);
    assert.equal(streams.count(), 2);
    streams.start();
    await left.ended();
    assert.deepEqual(left.events.at(-1)?.data, { reason: 'access_lost' });
    assert.deepEqual([stayed.events, streams.count()], [[], 1]);
  });
}

test('a change of rights rechecks only the streams of its subject', async (t) => {
  const { streams, left, leaves, stays, askedSoFar } = await open(t);
  const asked = askedSoFar();
  for (const subject of [
    { identityId: 'another' },
    { identityId: stays.id, tokenId: 'another' },
    { siteId: 'another' },
  ]) {
    await streams.recheck(subject);
  }
  assert.deepEqual([askedSoFar() - asked, streams.count()], [0, 2]);
  await streams.recheck({ identityId: leaves.id });
  await left.ended();
  assert.deepEqual([askedSoFar() - asked, streams.count()], [2, 1]);
});

test('others are served while all streams are checked', async (t) => {
  const { streams, stays, follow } = await open(t);
  for (let count = 2; count < 10; count++) await follow(stays);
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await streams.recheck();
  isDone = true;
  assert.ok(turns >= 4, `${turns} turns of the event loop for 10 streams`);
});

test('a stream that was opened while the rights of its caller changed ends with the next check', async (t) => {
  const { streams, left, stayed } = await open(t);
  streams.start(); // nobody reports the change, which was made before the stream was known
  await left.ended();
  assert.deepEqual(left.events.at(-1)?.data, { reason: 'access_lost' });
  assert.deepEqual([stayed.events, streams.count()], [[], 1]);
});
