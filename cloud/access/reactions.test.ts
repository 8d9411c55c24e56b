import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createLog } from '#lib/log.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { disableIdentity } from '../operator/identities.ts';
import type { Change } from '../store/changes.ts';
import { createReactions, type ReactionDeps } from './reactions.ts';

const nothing = async (): Promise<void> => {};

/** The reactions of parts that do what the test says. */
const open = (parts: Partial<ReactionDeps>) =>
  createReactions({
    store: {} as ReactionDeps['store'],
    sessions: { forget: () => {} },
    applications: { forget: () => {} },
    pipeline: { forget: nothing },
    streams: { recheck: nothing },
    transport: { disconnect: nothing },
    log: createLog({ level: 'silent', name: 'test' }),
    ...parts,
  });

/** Parts that write down what is asked of them. */
function watched() {
  const seen: string[] = [];
  const parts = {
    sessions: { forget: (tokenId = 'all sessions') => void seen.push(`forget ${tokenId}`) },
    applications: { forget: () => void seen.push('forget applications') },
    pipeline: { forget: async (serial = 'all routes') => void seen.push(`forget ${serial}`) },
    streams: { recheck: async () => void seen.push('recheck') },
    transport: { disconnect: async (named: object) => void seen.push(`end ${Object.values(named).join()}`) },
  };
  return { seen, parts };
}

for (const { says, change, done } of [
  { says: 'a device that came', change: { what: 'devices', serial: 'g' }, done: ['forget g'] },
  {
    says: 'a gateway that was taken away',
    change: { what: 'gateway', serial: 'g' },
    done: ['forget g', 'recheck', 'end g'],
  },
  {
    says: 'a token that was revoked',
    change: { what: 'access', tokenId: 't' },
    done: ['forget applications', 'forget t', 'recheck', 'end t'],
  },
  {
    says: 'a member who left',
    change: { what: 'access', identityId: 'i' },
    done: ['forget applications', 'recheck', 'end i'],
  },
  {
    says: 'what nobody heard',
    change: { what: 'anything' },
    done: ['forget applications', 'recheck', 'forget all routes'],
  },
] satisfies { says: string; change: Change; done: string[] }[]) {
  test(`${says}: ${done.join(', ')}, and no more`, () => {
    const { seen, parts } = watched();
    void open(parts).toChange(change);
    assert.deepEqual(seen, done);
  });
}

test('a version that moved: tokens are forgotten, streams looked at, and who was disabled is disconnected', async (t) => {
  const cloud = await openCloud();
  t.after(() => cloud.close());
  const { id } = await cloud.person();
  await disableIdentity(id, cloud);
  const { seen, parts } = watched();
  const { toNewVersion } = open({ ...parts, store: cloud.store });
  await toNewVersion(false);
  assert.deepEqual(seen, ['forget all sessions', 'forget applications', 'recheck', `end ${id}`]);

  const away = { recheck: () => Promise.reject(new Error('away')) };
  await assert.rejects(open({ ...parts, store: cloud.store, streams: away }).toNewVersion(false), /away/);

  seen.length = 0;
  await toNewVersion(true);
  assert.deepEqual(seen, ['forget all sessions', 'forget applications', 'recheck', 'end all']);
});

test('a change is over when streams and connections have ended, and what fails keeps the others from nothing', async () => {
  let ended = 0;
  const end = async (): Promise<void> => {
    await delay(20);
    ended++;
  };
  const transport = { disconnect: end };
  await open({ streams: { recheck: end }, transport }).toChange({ what: 'gateway', serial: 'g' });
  assert.equal(ended, 2);
  const recheck = () => Promise.reject(new Error('away'));
  await open({ streams: { recheck }, transport }).toChange({ what: 'gateway', serial: 'g' });
  assert.equal(ended, 3);
});

test('a broker that hangs does not hold a change for ever', { timeout: 60_000 }, async () => {
  const hang = () => new Promise<void>(() => {});
  const awake = setInterval(() => {}, 1000);
  await open({ transport: { disconnect: hang } }).toChange({ what: 'gateway', serial: 'g' });
  clearInterval(awake);
});
