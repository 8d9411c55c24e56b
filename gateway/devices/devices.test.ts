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
  const serials = new Map<number, string>();
  const losses = new Map<number, (error: Error) => void>();
  const devices = new Devices({
    files: await openDeviceFiles(folder, log),
    findProfile: findModbusProfile,
    openDriver: ({ port }) => ({
      async open({ onLost }) {
        if (port !== 502) await answered;
        losses.set(Number(port), onLost);
        return { serial: String(serials.get(Number(port))), make: 'Sungrow', ders: ['pv'] };
      },
      raw: () => undefined,
      close: async () => {},
    }),
    complete: (connection) => connection,
    resolveTarget: async (connection) => connection,
    beforeRemoval: async () => {},
    onReading: () => {},
    onState: () => {},
    freeMemoryKb: () => 2,
    minFreeKb: 1,
    clock: systemClock,
    log,
  });
  t.after(() => devices.close());
  const add = (port: number, serial = `INV-${port}`) => {
    serials.set(port, serial);
    return devices.add({ type: 'modbus_tcp', profile: 'sungrow', ip: '127.0.0.1', port });
  };
  const lose = (port: number): void => losses.get(port)?.(new Error('It is lost.'));
  return { devices, add, answer, lose, files: () => readdirSync(folder).length };
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

test('a device that has moved is refused with advice', async (t) => {
  const { devices, add, lose, answer } = await openDevices(t);
  answer();
  const { sn } = await add(503);
  await assert.rejects(add(504, sn), { code: 'conflict', message: `The device ${sn} is here already.` });
  lose(503);
  await assert.rejects(
    add(504, sn),
    /not connected at its former place \(tcp 127\.0\.0\.1:503 .*remove it, then add it/,
  );
  assert.equal(devices.list().length, 1);
});
