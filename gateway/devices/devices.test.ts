import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { findModbusProfile } from '../profiles/index.ts';
import { openDeviceFiles } from './device-files.ts';
import { Devices } from './devices.ts';

const log = createLog({ level: 'silent', name: 'test' });

/** Opens devices of which the second answers only when `answer` is called. */
async function openDevices(t: TestContext) {
  const folder = temporaryFolder(t);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const devices = new Devices({
    files: await openDeviceFiles(folder, log),
    findProfile: findModbusProfile,
    openDriver: ({ port }) => ({
      async open() {
        if (port !== 502) await answered;
        return { serial: `INV-${port}`, make: 'Sungrow', ders: ['pv'] };
      },
      raw: () => undefined,
      close: async () => {},
    }),
    complete: (connection) => connection,
    checkTarget: async () => {},
    beforeRemoval: async () => {},
    onReading: () => {},
    onState: () => {},
    freeMemoryKb: () => 2,
    minFreeKb: 1,
    clock: systemClock,
    log,
  });
  t.after(() => devices.close());
  const add = (port: number) => devices.add({ type: 'modbus_tcp', profile: 'sungrow', ip: '127.0.0.1', port });
  return { devices, add, answer, files: () => readdirSync(folder).length };
}

test('removing all devices removes one that is being added, and others can be added afterwards', async (t) => {
  const { devices, add, answer, files } = await openDevices(t);
  await add(502);
  const adding = add(503);
  const removing = devices.removeAll();
  await assert.rejects(add(504), /All devices are being removed/);
  answer();
  await Promise.all([adding, removing]);
  assert.deepEqual([devices.list().length, files()], [0, 0]);
  await add(504);
  assert.deepEqual([devices.list().length, files()], [1, 1]);
});
