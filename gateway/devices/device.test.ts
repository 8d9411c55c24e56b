import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DerReading } from '#contract/gateway/reading.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { sungrow } from '../profiles/sungrow.ts';
import { Device } from './device.ts';
import type { Driver, DriverEvents } from './driver.ts';

/** Creates a driver whose device reports this serial and one reading while it is opened, like a Modbus driver. */
function driverOf(serial: string, heardBy: (events: DriverEvents) => void = () => {}): Driver {
  return {
    async open(events) {
      heardBy(events);
      events.onHarvest({ at: 1000, tookMs: 5, values: { pv: { W: -1234 } } });
      return { serial, make: 'Sungrow', ders: ['pv'] };
    },
    raw: () => undefined,
    close: async () => {},
  };
}

/** Creates the device SG1, connected through this driver. */
async function connect(driver: Driver): Promise<{ device: Device; readings: DerReading[] }> {
  const readings: DerReading[] = [];
  const settled = Promise.withResolvers<void>();
  const device = new Device(
    {
      sn: 'SG1',
      connection: { type: 'modbus_tcp', profile: 'sungrow', ip: '127.0.0.1', port: 502, unit_id: 1 },
      ders: [{ type: 'pv', enabled: true }],
      found: { serial: 'SG1', make: 'Sungrow', ders: ['pv'] },
    },
    {
      profile: sungrow,
      openDriver: () => driver,
      save: async () => {},
      onReading: (_, reading) => readings.push(reading),
      onState: () => settled.resolve(),
      clock: createFakeClock(1000),
      log: createLog({ level: 'silent', name: 'test' }),
    },
  );
  device.connect();
  await settled.promise;
  await new Promise(setImmediate);
  return { device, readings };
}

/** Returns what is recorded for the device SG1 when another device answers in its place. */
async function connected(
  serial: string,
): Promise<{ readings: DerReading[]; isConnected: boolean; lastHarvest?: number }> {
  const { device, readings } = await connect(driverOf(serial));
  const { isConnected } = device;
  const { last_harvest } = device.entry();
  await device.close();
  return { readings, isConnected, ...(last_harvest !== undefined && { lastHarvest: last_harvest }) };
}

test('a reading received while connecting is recorded', async () => {
  const { readings, isConnected, lastHarvest } = await connected('SG1');
  assert.deepEqual([isConnected, lastHarvest], [true, 1000]);
  assert.deepEqual(
    readings.map(({ type, W }) => ({ type, W })),
    [{ type: 'pv', W: -1234 }],
  );
});

test('readings of another device at the same address are not recorded', async () => {
  assert.deepEqual(await connected('SG2'), { readings: [], isConnected: false });
});

test('readings of a driver that has lost its device are ignored', async (t) => {
  let events: DriverEvents | undefined;
  const { device, readings } = await connect(driverOf('SG1', (heard) => (events = heard)));
  t.after(() => device.close());
  events!.onLost(new Error('Gone.'));
  events!.onHarvest({ at: 2000, tookMs: 5, values: { pv: { W: -99 } } });
  assert.deepEqual([readings.length, device.entry().last_harvest, device.isConnected], [1, 1000, false]);
});

test('the last raw data stay available while the device is lost', async (t) => {
  let events: DriverEvents | undefined;
  const driver = { ...driverOf('SG1', (heard) => (events = heard)), raw: () => ({ ts: 1000 }) };
  const { device } = await connect(driver);
  t.after(() => device.close());
  events!.onLost(new Error('Gone.'));
  assert.deepEqual([device.isConnected, device.raw()], [false, { ts: 1000 }]);
});

test('the model is what the device reports, otherwise the name of its profile', async (t) => {
  const silent = await connect(driverOf('SG1'));
  const { open, ...driver } = driverOf('SG1');
  const named = await connect({ ...driver, open: async (events) => ({ ...(await open(events)), model: 'SH10RT' }) });
  t.after(() => Promise.all([silent.device.close(), named.device.close()]));
  assert.deepEqual([silent.device.model, named.device.model], [sungrow.display_name, 'SH10RT']);
});
