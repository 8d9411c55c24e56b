import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Command, CommandStatus, Subject } from './command.ts';
import { type Job, Lease } from './lease.ts';
import { command, leaseAt, refreshEvery, rules } from './testing/lease-at.ts';

/** Models the device and what observers know, which the lease must not contradict. */
class World {
  now = 1_000_000;
  /** setpoints that the device may be following */
  readonly following = new Map<Subject, Command>();
  readonly statuses = new Map<Command, CommandStatus['status'][]>();
  readonly newest = new Map<Subject, number>();
  lastAppliedAt = Number.NEGATIVE_INFINITY;
  job: Job | undefined;
  /** released while it was being applied */
  cancelled: Command | undefined;

  get applying(): Command | undefined {
    return this.job?.kind === 'apply' ? this.job.command : undefined;
  }

  onStatus(command: Command, { status }: CommandStatus): void {
    const before = this.statuses.get(command) ?? [];
    this.statuses.set(command, [...before, status]);
    assert.ok(!before.includes(status), `${status} is reported once`);
    assert.ok(!['failed', 'released'].includes(before.at(-1) ?? ''), `nothing is reported after ${before.at(-1)}`);
    if (status === 'released')
      assert.notEqual(this.following.get(command.subject), command, 'a released command no longer affects the device');
  }
}

type Step = fc.Command<World, Lease>;

const offer = (subject: Subject, origin: Command['origin'], agoMs: number, ttlMs: number): Step => ({
  check: () => true,
  run(world, lease) {
    const issuedAt = world.now - (origin === 'local' ? 0 : agoMs);
    const command: Command = { subject, origin, issuedAt, power_w: 1, id: undefined, endsAt: world.now + ttlMs };
    const rivals = [lease.held.get(subject), world.applying].filter((rival) => rival !== world.cancelled);
    const isHeldAtHome = rivals.some(
      (rival) => rival?.subject === subject && rival.origin === 'local' && rival.endsAt > world.now,
    );
    const refusal = lease.offer(command, world.now);
    if (ttlMs === 0) assert.ok(refusal, 'an expired command is refused');
    else if (origin === 'local') assert.equal(refusal, undefined, 'a local command is always accepted');
    if (origin === 'cloud' && isHeldAtHome) assert.ok(refusal, 'local overrides');
    if (issuedAt < (world.newest.get(subject) ?? 0)) assert.ok(refusal, 'the newest wins');
    if (!refusal) world.newest.set(subject, Math.max(issuedAt, world.newest.get(subject) ?? 0));
  },
  toString: () => `offer ${subject} ${origin} issued ${agoMs} ms ago for ${ttlMs} ms`,
});

const begin = (): Step => ({
  check: ({ job }) => job === undefined,
  run(world, lease) {
    const next = lease.next(world.now);
    if (!next || 'at' in next) return;
    world.job = next;
    if (next.kind !== 'apply') return;
    assert.ok(next.command.endsAt > world.now, 'an expired command is not applied');
    assert.ok(world.now - world.lastAppliedAt >= rules.paceMs, 'not faster than once a second');
    world.following.set(next.command.subject, next.command);
    if (next.command.subject !== 'take') world.following.delete('take');
  },
  toString: () => 'begin',
});

/** Models a failed apply as followed by the device, and a failed release as without effect. */
const finish = (isGood: boolean): Step => ({
  check: ({ job }) => job !== undefined,
  run(world, lease) {
    const job = world.job!;
    world.job = undefined;
    if (job.kind === 'apply') world.lastAppliedAt = world.now;
    if (job.kind === 'release' && isGood) for (const subject of job.subjects) world.following.delete(subject);
    lease.finish(job, world.now, isGood ? undefined : 'The write failed.');
    for (const [subject, command] of lease.held)
      assert.equal(world.following.get(subject), command, 'a held command is the one that the device follows');
    assert.ok(!lease.held.has('take') || lease.held.size === 1, 'a setpoint replaces taken control');
  },
  toString: () => (isGood ? 'done' : 'failed'),
});

const pass = (ms: number): Step => ({
  check: () => true,
  run(world) {
    world.now += ms;
  },
  toString: () => `${ms} ms pass`,
});

const end = (only: Subject | undefined): Step => ({
  check: () => true,
  run(world, lease) {
    lease.end('Requested.', world.now, only);
    for (const subject of only ? [only] : (['take', 'battery', 'pv'] as const)) {
      world.newest.set(subject, world.now);
      if (world.applying?.subject === subject) world.cancelled = world.applying;
    }
  },
  toString: () => `end ${only ?? 'all'}`,
});

/** Checks that local commands stay. */
const endCloud = (subject: Subject, agoMs: number): Step => ({
  check: () => true,
  run(world, lease) {
    const releasedAt = world.now - agoMs;
    const stays = (command: Command | undefined): boolean =>
      command !== undefined && (command.origin === 'local' || command.issuedAt > releasedAt);
    const held = lease.held.get(subject);
    lease.endCloud(subject, 'Requested.', releasedAt);
    assert.equal(lease.held.get(subject), stays(held) ? held : undefined);
    world.newest.set(subject, Math.max(releasedAt, world.newest.get(subject) ?? 0));
  },
  toString: () => `the platform ends ${subject} as of ${agoMs} ms ago`,
});

const ago = fc.oneof(fc.constant(0), fc.nat(5000));
const subjects = fc.constantFrom('battery' as const, 'pv' as const, 'take' as const);
const steps = fc.commands(
  [
    fc
      .tuple(subjects, fc.constantFrom('local' as const, 'cloud' as const), ago, fc.nat(8000))
      .filter(([subject, origin]) => subject !== 'take' || origin === 'local') // the platform has no such command
      .map(([subject, origin, agoMs, ttlMs]) => offer(subject, origin, agoMs, ttlMs)),
    fc.constant(begin()),
    fc.boolean().map(finish),
    fc.nat(4000).map(pass),
    fc.option(subjects, { nil: undefined }).map(end),
    fc.tuple(subjects, ago).map(([subject, agoMs]) => endCloud(subject, agoMs)),
  ],
  { maxCommands: 60, size: 'max' },
);

test('in any order of events only valid commands are applied and everything is released in the end', () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(undefined, refreshEvery(1500)), (steps, refresh) => {
      const world = new World();
      const lease = new Lease({ ...rules, refresh }, (command, status) => world.onStatus(command, status));
      fc.modelRun(() => ({ model: world, real: lease }), steps);
      // The device works again and no more commands arrive.
      for (let round = 0; round < 40 && !(lease.isIdle && !world.job); round++) {
        if (world.job) finish(true).run(world, lease);
        begin().run(world, lease);
        world.now += 1000;
      }
      assert.ok(lease.isIdle, 'the lease becomes idle');
      assert.deepEqual([...world.following.keys()], [], 'the device follows no command');
      for (const statuses of world.statuses.values()) {
        if (statuses.includes('applied')) continue;
        assert.ok(['failed', 'expired'].includes(statuses.at(-1)!), 'a command that was not applied reports why');
      }
    }),
    { numRuns: 2000 },
  );
});

test('a command is applied, expires and is released', () => {
  const { lease, heard, work } = leaseAt();
  lease.offer(command(), 0);
  assert.deepEqual([work(0), work(10), work(5000), work(5001)], ['apply', 5000, 'release', undefined]);
  assert.deepEqual(heard, ['one applied', 'one expired', 'one released']);
});

test('an expired command is refused and does not replace a queued one', () => {
  const { lease, heard, work } = leaseAt();
  lease.offer(command(), 0);
  assert.ok(lease.offer(command({ id: 'two', issuedAt: 200, endsAt: 1000 }), 1000));
  assert.equal(work(1000), 'apply');
  assert.deepEqual(heard, ['one applied']);
});

test('the newest queued command is applied, once a second', () => {
  const { lease, heard, work } = leaseAt();
  lease.offer(command(), 0);
  work(0);
  lease.offer(command({ id: 'two', issuedAt: 200 }), 100);
  lease.offer(command({ id: 'three', issuedAt: 300 }), 200);
  assert.deepEqual([work(300), work(1000)], [1000, 'apply']);
  assert.deepEqual(heard, ['one applied', 'two failed', 'three applied']);
});

test('a command that fails ends the one held before', () => {
  const { lease, heard, work } = leaseAt();
  lease.offer(command(), 0);
  work(0);
  lease.offer(command({ id: 'two', issuedAt: 200 }), 100);
  assert.deepEqual(
    [work(1000, 'no answer'), work(1001, 'no answer'), work(1002), work(2001)],
    ['apply', 'release', 2001, 'release'],
  );
  assert.deepEqual(heard, ['one applied', 'two failed', 'one released']);
});

test('a command released while it is being applied does not hold', () => {
  const { lease, heard, work } = leaseAt();
  lease.offer(command(), 0);
  const job = lease.next(0) as Job;
  lease.end('Requested.', 500);
  lease.finish(job, 10);
  assert.equal(work(11), 'release');
  assert.deepEqual(heard, ['one applied', 'one released']);
});

test('the platform releases its own command even while it is being applied', () => {
  const { lease, heard, work } = leaseAt();
  lease.offer(command(), 0);
  work(0);
  lease.offer(command({ id: 'two', issuedAt: 200 }), 100);
  const job = lease.next(1000) as Job;
  lease.offer(command({ id: 'three', issuedAt: 300 }), 1001);
  lease.endCloud('battery', 'Requested.', 300);
  lease.finish(job, 1002);
  assert.deepEqual([work(1003), lease.isIdle], ['release', true]);
  assert.deepEqual(heard, ['one applied', 'three failed', 'two applied', 'two released']);
});

test('a late release ends neither newer commands nor local ones', () => {
  for (const { changes, ends } of [
    { changes: { issuedAt: 300 }, ends: false },
    { changes: { issuedAt: 300, origin: 'local' as const }, ends: false },
    { changes: { issuedAt: 100, origin: 'local' as const }, ends: false },
    { changes: { issuedAt: 100 }, ends: true },
  ]) {
    const { lease, work } = leaseAt();
    lease.offer(command(changes), 0);
    work(0);
    lease.endCloud('battery', 'Requested.', 200);
    assert.equal(lease.isEnding, ends, JSON.stringify(changes));
  }
});

test('a setpoint replaces taken control and its end releases the device', () => {
  const { lease, work } = leaseAt();
  lease.offer(command({ subject: 'take', origin: 'local', id: 'take', endsAt: 300_000 }), 0);
  work(0);
  lease.offer(command({ origin: 'local' }), 1);
  work(1000);
  assert.deepEqual([work(5000), lease.isIdle], ['release', true]);
});

test('taking control of a device under a command changes nothing', () => {
  for (const wait of [true, false]) {
    const { lease, work } = leaseAt();
    const take = command({ subject: 'take', origin: 'local', id: 'take', endsAt: 3000 });
    lease.offer(command({ origin: 'local' }), 0);
    if (!wait) work(0);
    assert.equal(lease.offer(take, 1), undefined);
    if (wait) work(1);
    assert.deepEqual([work(1500), work(3000), [...lease.held.keys()]], [5000, 5000, ['battery']]);
    assert.deepEqual([work(5000), lease.isIdle], ['release', true]);
  }
});

test('taking control changes nothing while a command is being applied', () => {
  const { lease, work } = leaseAt();
  lease.offer(command({ origin: 'local' }), 0);
  const job = lease.next(0) as Job;
  lease.offer(command({ subject: 'take', origin: 'local', id: 'take', endsAt: 3000 }), 1);
  lease.finish(job, 2);
  assert.equal(work(1002), 5000);
});

test('control taken while a failed command is being released holds afterwards', () => {
  const { lease, work } = leaseAt();
  lease.offer(command({ origin: 'local' }), 0);
  const job = lease.next(0) as Job;
  lease.end('Requested.', 500);
  lease.offer(command({ subject: 'take', origin: 'local', id: 'take' }), 1);
  lease.finish(job, 2);
  assert.deepEqual([work(3), work(1002), [...lease.held.keys()]], ['release', 'apply', ['take']]);
});

test('a release by the platform does not end a local command that is being applied instead', () => {
  const { lease, heard, work } = leaseAt();
  lease.offer(command(), 0);
  work(0);
  lease.offer(command({ id: 'home', origin: 'local', issuedAt: 200 }), 100);
  const job = lease.next(1000) as Job;
  lease.endCloud('battery', 'Requested.', 300);
  lease.finish(job, 1001);
  assert.deepEqual([work(1002), lease.held.get('battery')?.id], [5000, 'home']);
  assert.deepEqual(heard, ['one applied', 'home applied', 'one failed']);
});

test('taking control at home ends the command of the platform and blocks new ones', () => {
  const { lease, heard, work } = leaseAt();
  lease.offer(command(), 0);
  work(0);
  lease.offer(command({ subject: 'take', origin: 'local', id: 'take', issuedAt: 200, endsAt: 3000 }), 1000);
  assert.deepEqual([work(1000), work(1001)], ['release', 'apply']);
  assert.ok(lease.offer(command({ id: 'two', issuedAt: 300 }), 1002));
  assert.deepEqual([[...lease.held.keys()], work(3000), lease.isIdle], [['take'], 'release', true]);
  assert.deepEqual(heard, ['one applied', 'one released', 'take applied', 'take expired', 'take released']);
});

test('the platform does not override a local command that is being applied', () => {
  for (const subject of ['battery', 'take'] as const) {
    const { lease } = leaseAt();
    lease.offer(command({ subject, origin: 'local', id: 'home' }), 0);
    const job = lease.next(0) as Job;
    assert.equal(lease.offer(command({ issuedAt: 200 }), 1), 'A local command holds the device.');
    lease.finish(job, 2);
    assert.equal(lease.held.get(subject)?.id, 'home');
  }
});

test('an issue time from a clock that was ahead does not block the platform once the clock is right', () => {
  const { lease, work } = leaseAt();
  lease.offer(command({ origin: 'local', issuedAt: 900_000, endsAt: 2000 }), 0, { latest: 901_000 });
  assert.deepEqual([work(0), work(2000)], ['apply', 'release']);
  const late = command({ issuedAt: 300, endsAt: 9000 });
  assert.ok(lease.offer(late, 3000, { latest: 901_000 }), 'while the clock is ahead, the age of a command is unknown');
  assert.equal(lease.offer(late, 3000, { latest: 10_000 }), undefined);
  assert.ok(lease.offer(command({ issuedAt: 200, endsAt: 9000 }), 3001, { latest: 10_000 }), 'the newest wins again');
});

test('a failing release is retried every second for a minute, then every ten seconds', () => {
  const lease = new Lease(rules, () => {});
  lease.forceRelease(['battery'], 'The release was requested.');
  const tries: number[] = [];
  for (let now = 0; now <= 100_000; now += 1000) {
    const next = lease.next(now);
    if (!next || 'at' in next) continue;
    tries.push(now / 1000);
    lease.finish(next, now, 'No answer.');
  }
  assert.deepEqual(tries, [...Array(60).keys(), 69, 79, 89, 99]);
  lease.finish(lease.next(200_000) as Job, 200_000);
  assert.ok(lease.isIdle);
});

test("a plan yields to a person's command, and continues when that has ended", () => {
  const { lease, work, heard } = leaseAt();
  const planned = command({ id: 'plan', origin: 'plan', endsAt: 90_000 });
  assert.equal(lease.offer(planned, 0), undefined);
  assert.equal(work(0), 'apply');
  for (const origin of ['cloud', 'local'] as const) {
    const start = origin === 'cloud' ? 2000 : 20_000;
    assert.equal(lease.offer(command({ id: origin, origin, issuedAt: 1, endsAt: start + 5000 }), start), undefined);
    assert.match(lease.offer(planned, start) ?? '', /person/);
    assert.equal(work(start), 'apply');
    assert.ok(lease.isCommanded('battery') && !lease.extend('battery', 1000, 99_000));
    assert.match(lease.offer(planned, start + 1000) ?? '', /person/);
    assert.equal(work(start + 5000), 'release');
    assert.equal(lease.offer(planned, start + 6000), undefined);
    assert.equal(work(start + 6000), 'apply');
  }
  assert.deepEqual(
    heard.filter((line) => line.includes('failed')),
    [],
  );
});

test('a plan extends its lease without a write, and only its own unchanged setpoint', () => {
  const { lease, work } = leaseAt();
  lease.offer(command({ origin: 'plan', endsAt: 5000 }), 0);
  assert.ok(!lease.extend('battery', 1000, 9000), 'not before it is applied');
  work(0);
  assert.ok(!lease.extend('battery', 1001, 9000));
  assert.ok(lease.extend('battery', 1000, 9000));
  assert.equal(work(5000), 9000);
  lease.endPlan('battery', 'The plan has ended.');
  assert.equal(work(6000), 'release');
});

test('ending a plan leaves the command of a person', () => {
  const { lease, work } = leaseAt();
  lease.offer(command(), 200);
  work(200);
  lease.endPlan('battery', 'The plan has ended.');
  assert.equal(lease.held.get('battery')?.id, 'one');
});
