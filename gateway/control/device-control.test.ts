import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { findControl } from '../profiles/control/index.ts';
import type { Subject } from './command.ts';
import { createDeviceControl } from './device-control.ts';

/** Controls a fake FoxESS, which leaves remote control after a minute without a write, and records what was done to it. */
function control(t: TestContext, profile = 'foxess') {
  const monotonic = createFakeClock(1_000_000);
  const done: string[] = [];
  const said: string[] = [];
  const logged: string[] = [];
  const line = { isDown: false };
  const actuators: { isLost: boolean; isClosed: boolean }[] = [];
  const disk = { isReadOnly: false };
  const learning = { count: 0, takes: Promise.resolve() };
  let wasDone = Promise.withResolvers<void>();
  const tell = async (what: string): Promise<void> => {
    if (line.isDown) throw new Error('No answer.');
    done.push(what);
  };
  const device = createDeviceControl(
    'FOX1',
    {
      control: findControl(profile)!,
      address: { kind: 'modbus', endpoint: { host: '127.0.0.1', port: 502 }, unitId: 247, connectDelayMs: 0 },
      parts: ['battery', 'pv'],
      configured: {},
    },
    {
      async openActuator() {
        const opened = { isLost: false, isClosed: false };
        actuators.push(opened);
        return {
          get isLost() {
            return opened.isLost;
          },
          async learn() {
            learning.count++;
            await learning.takes;
            return {};
          },
          async take() {
            await tell('take');
            return [];
          },
          async set(_, { W }) {
            await tell(`${W} W`);
            return [];
          },
          dryRun: async () => {},
          release: () => tell('release'),
          async close() {
            opened.isClosed = true;
          },
        };
      },
      markers: {
        load: async () => ({ markers: [], damaged: [] }),
        find: async () => undefined,
        write: async () => {},
        async remove() {
          if (disk.isReadOnly) throw new Error('The disk cannot be written.');
          done.push('marker removed');
        },
      },
      watchdog: { hold: async () => {}, released() {}, close: async () => {} },
      onStatus(_, { power_w }, { status }) {
        said.push(`${power_w} W ${status}`);
        wasDone.resolve();
      },
      clock: monotonic,
      monotonic,
      log: createLog({
        level: 'info',
        name: 'test',
        destination: { write: (line) => void logged.push(JSON.parse(line).msg) },
      }),
    },
  );
  t.after(() => device.close());
  return {
    device,
    done,
    said,
    logged,
    line,
    actuators,
    disk,
    learning,
    advance: (ms: number) => monotonic.advance(ms),
    async command(subject: Subject, power_w: number): Promise<void> {
      const now = monotonic.now();
      wasDone = Promise.withResolvers();
      const refusal = device.lease.offer(
        { subject, power_w, id: undefined, origin: 'local', issuedAt: now, endsAt: now + 60 * minuteMs },
        now,
      );
      assert.equal(refusal, undefined);
      device.wake();
      await wasDone.promise;
      await new Promise(setImmediate);
    },
    async refresh(): Promise<void> {
      device.wake();
      await new Promise(setImmediate);
    },
  };
}

test('control is taken once while the setpoint is refreshed in time', async (t) => {
  const { done, advance, command, refresh } = control(t);
  await command('battery', 2000);
  advance(20_000);
  await refresh();
  advance(20_000);
  await command('battery', -500);
  assert.deepEqual(done, ['take', '2000 W', '2000 W', '-500 W']);
});

test('control is taken again before a setpoint when the device has left control', async (t) => {
  const { done, advance, command } = control(t);
  await command('take', 0);
  advance(2 * minuteMs);
  await command('battery', 2000);
  assert.deepEqual(done, ['take', 'take', '2000 W']);
});

test('control is taken again after the gateway was suspended', async (t) => {
  const { done, advance, command, refresh } = control(t);
  await command('battery', 2000);
  advance(2 * minuteMs);
  await refresh();
  assert.deepEqual(done, ['take', '2000 W', 'take', '2000 W']);
});

test('a device that cannot be refreshed before it forgets is released and its command fails', async (t) => {
  const { device, done, said, logged, line, advance, command, refresh } = control(t);
  await command('battery', 2000);
  line.isDown = true;
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      advance(1000);
      await refresh();
    }
  };
  await pass(59);
  assert.deepEqual([said, [...device.lease.held.keys()]], [['2000 W applied'], ['battery']]);
  assert.deepEqual(logged, ['failed to control the device'], 'logged once, at the first failure');
  await pass(1);
  assert.deepEqual([said, device.fault], [['2000 W applied', '2000 W failed'], 'No answer.']);
  line.isDown = false;
  await pass(1);
  assert.deepEqual(done, ['take', '2000 W', 'release', 'marker removed']);
  assert.deepEqual([device.fault, device.lease.isIdle], [undefined, true]);
});

test('a short failure does not end the lease and its end is logged', async (t) => {
  const { done, said, logged, line, advance, command, refresh } = control(t);
  await command('battery', 2000);
  line.isDown = true;
  advance(20_000);
  await refresh();
  line.isDown = false;
  advance(1000);
  await refresh();
  assert.deepEqual([done, said], [['take', '2000 W', '2000 W'], ['2000 W applied']]);
  assert.deepEqual(logged, ['failed to control the device', 'device controlled again']);
});

test('an actuator whose connection was lost is replaced before the next setpoint', async (t) => {
  const { done, said, actuators, advance, command } = control(t);
  await command('battery', 2000);
  for (const opened of actuators) opened.isLost = true;
  advance(1000);
  await command('battery', -500);
  assert.deepEqual(
    [done, said],
    [
      ['take', '2000 W', '-500 W'],
      ['2000 W applied', '-500 W applied'],
    ],
  );
  assert.deepEqual(
    actuators.map(({ isClosed }) => isClosed),
    [true, false],
  );
});

test('one part is refreshed in time however often the other is commanded', async (t) => {
  for (const { profile, seldom, often } of [
    { profile: 'sunspec', seldom: 'pv', often: 'battery' },
    { profile: 'solaredge', seldom: 'battery', often: 'pv' },
  ] as const) {
    const { done, advance, command } = control(t, profile);
    await command(seldom, 3000);
    for (const W of [1, 2, 3, 4]) {
      advance(10_000);
      await command(often, W);
    }
    assert.deepEqual(
      done.filter((what) => what !== 'take'),
      ['3000 W', '1 W', '2 W', '3000 W', '3 W', '4 W', '3000 W'],
      profile,
    );
  }
});

test('only the parts that a device forgets are refreshed', async (t) => {
  for (const { profile, told } of [
    { profile: 'huawei', told: ['2000 W'] },
    { profile: 'sunspec', told: ['2000 W', '3000 W'] },
  ]) {
    const { done, advance, command, refresh } = control(t, profile);
    await command('battery', 2000);
    advance(1000);
    await command('pv', 3000);
    done.length = 0;
    advance(20_000);
    await refresh();
    assert.deepEqual(done, told, profile);
  }
});

test('concurrent commands read the facts of the device once', async (t) => {
  const { device, learning } = control(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  learning.takes = promise;
  const both = [device.facts(), device.facts()];
  await new Promise(setImmediate);
  resolve();
  await Promise.all(both);
  assert.equal(learning.count, 1);
});

test('the next command reads the facts when the first attempt failed', async (t) => {
  const { device, learning } = control(t);
  learning.takes = Promise.reject(new Error('No answer.'));
  await assert.rejects(device.facts(), { message: 'No answer.' });
  learning.takes = Promise.resolve();
  assert.deepEqual(await device.facts(), {});
});

test('a device is not released twice when its marker could not be removed', async (t) => {
  const { device, done, disk, advance, command, refresh } = control(t);
  await command('battery', 2000);
  done.length = 0;
  disk.isReadOnly = true;
  device.lease.end('The release was requested.', 0);
  for (let attempts = 0; attempts < 3; attempts++) {
    await refresh();
    advance(1000);
  }
  assert.deepEqual([done, device.fault], [['release'], 'The disk cannot be written.']);
  disk.isReadOnly = false;
  await refresh();
  assert.deepEqual([done, device.fault], [['release', 'marker removed'], undefined]);

  done.length = 0;
  advance(1000);
  await command('battery', 1000);
  device.lease.end('The release was requested.', 0);
  await refresh();
  assert.deepEqual(done, ['take', '1000 W', 'release', 'marker removed']);
});
