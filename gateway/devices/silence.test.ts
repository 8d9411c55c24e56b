import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { sungrow } from '../profiles/sungrow.ts';
import { Device } from './device.ts';
import type { Driver } from './driver.ts';

test('a device is silent about kinds of which it has no readings', (t) => {
  const clock = createFakeClock(1000);
  t.mock.method(performance, 'now', () => clock.now());
  const driver: Driver = {
    open: async () => ({ make: 'Sungrow', ders: ['pv', 'battery'] }),
    raw: () => undefined,
    close: async () => {},
  };
  const device = new Device(
    {
      sn: 'SG1',
      connection: { type: 'modbus_tcp', profile: 'sungrow', ip: '127.0.0.1', port: 502, unit_id: 1 },
      ders: [],
    },
    {
      profile: sungrow,
      openDriver: () => driver,
      save: async () => {},
      onReading: () => {},
      onState: () => {},
      clock,
      log: createLog({ level: 'silent', name: 'test' }),
    },
  );
  t.after(() => device.close());
  device.adopt(driver, { make: 'Sungrow', ders: ['pv', 'battery'] });
  const { onHarvest } = device.eventsOf(driver);
  const silences = () => [device.silentMs(), device.silentMs(['battery', 'v2x_charger']), device.silentMs(['pv'])];

  assert.deepEqual(silences(), [Infinity, Infinity, Infinity]);
  onHarvest({ at: 1000, tookMs: 5, values: { pv: { W: -1 }, battery: { W: 1 } } });
  clock.advance(5000);
  onHarvest({ at: 6000, tookMs: 5, values: { pv: { W: -2 } } });
  assert.deepEqual(silences(), [0, 5000, 0]);
  clock.advance(1000);
  onHarvest({ at: 7000, tookMs: 5, values: {} });
  assert.deepEqual(silences(), [1000, 6000, 1000]);
});
