import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import type { Change } from '../store/changes.ts';
import { type ReactionDeps, reactToChanges } from './reactions.ts';

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
    let tell: (change: Change) => void;
    reactToChanges({
      store: {
        onChange: (hear: typeof tell) => {
          tell = hear;
        },
      },
      pipeline: { forget: (serial = 'everything') => seen.push(`forget ${serial}`) },
      streams: { recheck: async () => void seen.push('recheck') },
      transport: { disconnect: async (named: object) => void seen.push(`end ${Object.values(named).join()}`) },
      log: createLog({ level: 'silent', name: 'test' }),
    } as unknown as ReactionDeps);
    tell!(change);
    assert.deepEqual(seen, done);
  });
}
