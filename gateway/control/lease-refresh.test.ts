import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Subject } from './command.ts';
import type { Job } from './lease.ts';
import { command, leaseAt } from './testing/lease-at.ts';

test('a setpoint that the device forgets is refreshed until the lease ends', () => {
  const { lease, work } = leaseAt(2000);
  lease.offer(command(), 0);
  assert.deepEqual(
    [work(0), work(1), work(2000), work(2001), work(4000, 'lost'), work(4001), work(5000)],
    ['apply', 2000, 'refresh', 4000, 'refresh', 5000, 'release'],
  );
});

test('each part has its own refresh interval', () => {
  const { lease, work } = leaseAt(2000);
  lease.offer(command({ endsAt: 60_000 }), 0);
  work(0);
  lease.offer(command({ subject: 'pv', endsAt: 60_000 }), 1);
  const told = (now: number): Subject | number | undefined => {
    const next = lease.next(now);
    if (!next || 'at' in next) return next?.at;
    lease.finish(next, now);
    return next.kind === 'refresh' ? next.command.subject : undefined;
  };
  assert.equal(work(1500), 'apply');
  assert.deepEqual([told(1600), told(2000), told(2001), told(3500), told(3501)], [2000, 'battery', 3500, 'pv', 4000]);
});

test('a part that cannot be refreshed for three rounds is released; the other part stays', () => {
  const { lease, heard, work } = leaseAt(2000);
  lease.offer(command({ endsAt: 60_000 }), 0);
  work(0);
  lease.offer(command({ subject: 'pv', id: 'sun', endsAt: 60_000 }), 1);
  work(1000);
  const fail = (now: number): void => {
    for (let next = lease.next(now); next && !('at' in next); next = lease.next(now)) {
      const isBattery = next.kind === 'refresh' && next.command.subject === 'battery';
      lease.finish(next, now, isBattery ? 'no answer' : undefined);
    }
  };
  for (let now = 2000; now < 6000; now += 500) fail(now);
  assert.deepEqual(heard, ['one applied', 'sun applied']);
  fail(6000);
  assert.deepEqual([heard.at(-1), [...lease.held.keys()], lease.isEnding], ['one failed', ['pv'], false]);
});

test('a refresh that fails after its command was released reports nothing', () => {
  const { lease, heard, work } = leaseAt(2000);
  lease.offer(command({ endsAt: 60_000 }), 0);
  work(0);
  const job = lease.next(10_000) as Job;
  lease.end('Asked for.', 500);
  lease.finish(job, 10_001, 'no answer');
  assert.equal(work(10_002), 'release');
  assert.deepEqual(heard, ['one applied', 'one released']);
});

test('a held part is refreshed while another part cannot be released', () => {
  const { lease, work } = leaseAt(2000);
  lease.offer(command({ endsAt: 60_000 }), 0);
  work(0);
  lease.offer(command({ subject: 'pv', id: 'sun' }), 1);
  assert.equal(work(1000), 'apply');
  lease.end('Asked for.', 500, 'pv');
  assert.deepEqual(
    [work(1500, 'no'), work(1600), work(2000), work(2001), work(2500, 'no'), work(2501)],
    ['release', 2000, 'refresh', 2500, 'release', 3500],
  );
});
