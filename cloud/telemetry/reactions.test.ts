import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createLog } from '#lib/log.ts';
import type { Change } from '../store/changes.ts';
import { type ReactionDeps, reactToChanges } from './reactions.ts';

/** What a change sets off in parts that do what the test says. */
function open(parts: object): (change: Change) => Promise<void> {
  let tell: (change: Change) => Promise<void>;
  const store = {
    onChange: (hear: typeof tell) => {
      tell = hear;
    },
  };
  reactToChanges({ store, log: createLog({ level: 'silent', name: 'test' }), ...parts } as unknown as ReactionDeps);
  return tell!;
}

for (const { says, change, done } of [
  { says: 'a device that came', change: { what: 'devices', serial: 'g' }, done: ['forget g'] },
  {
    says: 'a gateway that was taken away',
    change: { what: 'gateway', serial: 'g' },
    done: ['forget g', 'recheck', 'end g'],
  },
  { says: 'a token that was revoked', change: { what: 'access', tokenId: 't' }, done: ['recheck', 'end t'] },
  { says: 'a member who left', change: { what: 'access', identityId: 'i' }, done: ['recheck', 'end i'] },
  { says: 'what nobody heard', change: { what: 'anything' }, done: ['recheck', 'forget everything'] },
] satisfies { says: string; change: Change; done: string[] }[]) {
  test(`${says}: ${done.join(', ')}, and no more`, () => {
    const seen: string[] = [];
    const tell = open({
      pipeline: { forget: async (serial = 'everything') => void seen.push(`forget ${serial}`) },
      streams: { recheck: async () => void seen.push('recheck') },
      transport: { disconnect: async (named: object) => void seen.push(`end ${Object.values(named).join()}`) },
    });
    void tell(change);
    assert.deepEqual(seen, done);
  });
}

test('a change is over when streams and connections have ended, and what fails keeps the others from nothing', async () => {
  let ended = 0;
  const end = async (): Promise<void> => {
    await delay(20);
    ended++;
  };
  const pipeline = { forget: async () => {} };
  await open({ pipeline, streams: { recheck: end }, transport: { disconnect: end } })({ what: 'gateway', serial: 'g' });
  assert.equal(ended, 2);
  const recheck = () => Promise.reject(new Error('away'));
  await open({ pipeline, streams: { recheck }, transport: { disconnect: end } })({ what: 'gateway', serial: 'g' });
  assert.equal(ended, 3);
});

test('a broker that hangs does not hold a change for ever', { timeout: 60_000 }, async () => {
  const hang = () => new Promise<void>(() => {});
  const tell = open({
    pipeline: { forget: async () => {} },
    streams: { recheck: async () => {} },
    transport: { disconnect: hang },
  });
  const awake = setInterval(() => {}, 1000);
  await tell({ what: 'gateway', serial: 'g' });
  clearInterval(awake);
});
