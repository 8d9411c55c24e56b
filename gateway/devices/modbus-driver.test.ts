import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { DerValues } from '#contract/gateway/reading.ts';
import { systemClock } from '#lib/clock.ts';
import { createModbusBuses } from '../links/modbus/buses.ts';
import type { ModbusUnit } from '../links/modbus/unit.ts';
import type { ModbusProfile } from '../profiles/profile.ts';
import { sungrow } from '../profiles/sungrow.ts';
import { createModbusDriver } from './modbus-driver.ts';

/** Creates a driver whose device reports these values one after the other, and then repeats the last. */
function driverOf(t: TestContext, ...told: DerValues[]) {
  const profile: ModbusProfile = {
    ...sungrow,
    recognise: async () => ({
      serial: 'SG1',
      make: 'Sungrow',
      ders: ['pv'],
      harvest: async () => (told.length > 1 ? told.shift()! : told[0]!),
    }),
  };
  const connection = { type: 'modbus_tcp' as const, profile: 'sungrow', ip: '127.0.0.1', port: 502, unit_id: 1 };
  const driver = createModbusDriver(connection, profile, {
    buses: { ...createModbusBuses(), acquire: () => ({ unit: {} as ModbusUnit, release: async () => {} }) },
    clock: systemClock,
    resolve: async (host) => host,
    harvestMs: 1,
  });
  t.after(() => driver.close());
  const harvests: DerValues[] = [];
  const lost = Promise.withResolvers<string>();
  const opened = driver.open({
    onHarvest: ({ values }) => void harvests.push(values),
    onLost: ({ message }) => lost.resolve(message),
    onFailedFrame: () => {},
  });
  return { opened, harvests, lost: lost.promise };
}

const sun: DerValues = { pv: { W: -1000 } };

test('a device that answers without values is lost after three rounds', { timeout: 10_000 }, async (t) => {
  const { opened, harvests, lost } = driverOf(t, sun, {}, {}, sun, {});
  await opened;
  assert.equal(await lost, 'The device answers, but reports no values.');
  assert.deepEqual(harvests, [sun, sun]);
});

test('a device without values at the start is not connected', async (t) => {
  await assert.rejects(driverOf(t, {}).opened, { message: 'The device answers, but reports no values.' });
});

test('a device that reports few values, as at night, stays connected', async (t) => {
  const night: DerValues = { pv: { total_generation_Wh: 77 } };
  const { opened, harvests } = driverOf(t, night);
  await opened;
  assert.deepEqual(harvests, [night]);
});
