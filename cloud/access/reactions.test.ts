import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '#lib/clock.ts';
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
    applied: { add: () => {}, reset: () => {} },
    clock: systemClock,
    log: createLog({ level: 'silent', name: 'test' }),
    ...parts,
  });

const wordsOf = (named: object | undefined): string => (named ? Object.values(named).filter(Boolean).join(' ') : 'all');

/** Fakes that record their calls. */
function watched() {
  const seen: string[] = [];
  const parts = {
    sessions: { forget: (subject?: object) => void seen.push(`forget sessions: ${wordsOf(subject)}`) },
    applications: { forget: (subject?: object) => void seen.push(`forget applications: ${wordsOf(subject)}`) },
    pipeline: { forget: async (serial = 'all routes') => void seen.push(`forget ${serial}`) },
    streams: { recheck: async (subject?: object) => void seen.push(`recheck ${wordsOf(subject)}`) },
    transport: { disconnect: async (named: object) => void seen.push(`end ${wordsOf(named)}`) },
    applied: {
      add: (version: number) => void seen.push(`version ${version}`),
      reset: () => void seen.push('version unknown'),
    },
  };
  return { seen, parts };
}

const forgetTokens = (subject: string): string[] => [`forget sessions: ${subject}`, `forget applications: ${subject}`];

for (const { says, change, done } of [
  { says: 'a device that came', change: { what: 'devices', serial: 'g' }, done: ['forget g'] },
  {
    says: 'a gateway that was taken away',
    change: { what: 'gateway', serial: 'g' },
    done: ['forget g', 'recheck g', 'end g'],
  },
  {
    says: 'a token that was revoked',
    change: { what: 'access', version: 7, identityId: 'i', tokenId: 't' },
    done: ['version 7', ...forgetTokens('i t'), 'recheck i t', 'end i t'],
  },
  {
    says: 'a member who left',
    change: { what: 'access', version: 7, identityId: 'i' },
    done: ['version 7', ...forgetTokens('i'), 'recheck i', 'end i'],
  },
  {
    says: 'a consent that was withdrawn',
    change: { what: 'access', version: 7, identityId: 'i', clientId: 'c' },
    done: ['version 7', ...forgetTokens('i c'), 'recheck i c'],
  },
  {
    says: 'a site that was deleted',
    change: { what: 'access', version: 7, siteId: 's' },
    done: ['version 7', 'recheck s'],
  },
  {
    says: 'changes that were missed',
    change: { what: 'anything' },
    done: ['forget applications: all', 'recheck all', 'forget all routes'],
  },
] satisfies { says: string; change: Change; done: string[] }[]) {
  test(`${says}: ${done.join(', ')}, and no more`, () => {
    const { seen, parts } = watched();
    void open(parts).toChange(change);
    assert.deepEqual(seen, done);
  });
}

test('after a new version, cached tokens are dropped, streams are rechecked and disabled members are disconnected', async (t) => {
  const cloud = await openCloud();
  t.after(() => cloud.close());
  const { id } = await cloud.person();
  await disableIdentity(id, cloud);
  const { seen, parts } = watched();
  const { toNewVersion } = open({ ...parts, store: cloud.store });
  await toNewVersion(false);
  assert.deepEqual(seen, [...forgetTokens('all'), 'recheck all', `end ${id}`]);

  const away = { recheck: () => Promise.reject(new Error('away')) };
  await assert.rejects(open({ ...watched().parts, store: cloud.store, streams: away }).toNewVersion(false), /away/);

  seen.length = 0;
  await toNewVersion(true);
  assert.deepEqual(seen, [...forgetTokens('all'), 'recheck all', 'end all']);
});

test('a change is applied when streams and connections have ended, and a failure does not stop the other steps', async () => {
  let ended = 0;
  const end = async (): Promise<void> => {
    await delay(20);
    ended++;
  };
  const transport = { disconnect: end };
  await open({ streams: { recheck: end }, transport }).toChange({ what: 'gateway', serial: 'g' });
  assert.equal(ended, 2);
  const recheck = () => Promise.reject(new Error('away'));
  const { seen, parts } = watched();
  await open({ ...parts, streams: { recheck }, transport }).toChange({ what: 'gateway', serial: 'g' });
  assert.equal(ended, 3);
  assert.ok(seen.includes('version unknown'));
});

test('a broker that hangs does not hold a change for ever', { timeout: 60_000 }, async () => {
  const hang = () => new Promise<void>(() => {});
  const awake = setInterval(() => {}, 1000);
  await open({ transport: { disconnect: hang } }).toChange({ what: 'gateway', serial: 'g' });
  clearInterval(awake);
});
