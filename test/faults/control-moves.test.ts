import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { createMarkers } from '#gateway/control/control-journal.ts';
import { type DeviceAddress, resolveDeviceAddress } from '#gateway/devices/resolve-address.ts';
import { huawei } from '#sim/modbus/banks/huawei.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { until } from '../until.ts';
import { openChaosProxy } from './chaos-proxy.ts';
import { startInverter } from './control-inverter.ts';
import { openControlled, patient } from './control-setup.ts';
import { nobody } from './controlled-devices.ts';

/** A device under control whose address changes. */
async function moving(t: TestContext) {
  const watched: DeviceAddress[] = [];
  const where: { place?: DeviceAddress } = {};
  const controlled = await openControlled(t, sungrowHybrid('S1'), {
    addressOf: async () => where.place!,
    monotonic: patient,
    openWatchdog: () => ({ ...nobody, hold: async ({ place }) => void watched.push(place) }),
  });
  const { place } = controlled.inverter;
  const former = await openChaosProxy(place.endpoint.port);
  t.after(() => former.close());
  where.place = { ...place, endpoint: { host: former.host, port: former.port } };
  return {
    ...controlled,
    place,
    watched,
    async move(): Promise<void> {
      await former.close();
      where.place = place;
    },
  };
}

suite('a device that moves', { concurrency: 3 }, () => {
  test('to an unknown serial line is unreachable, and the error does not name the old address', async (t) => {
    const { post } = await openControlled(t, sungrowHybrid('S1'), {
      addressOf: ({ kept }) =>
        resolveDeviceAddress(
          { ...kept.connection, type: 'modbus_rtu', serial_port: '/nowhere' },
          { resolve: async (host) => host },
        ),
    });
    const { status, body } = await post('battery', { power_w: 1000 });
    assert.deepEqual([status, body.error], [503, 'device_unreachable']);
    assert.match(body.message, /^\/nowhere is not a serial line now/);
  });

  test('is released at its new address', async (t) => {
    const { post, battery, control, move } = await moving(t);
    await post('battery', { power_w: 1000, ttl_s: 3 });
    await until(() => control.status()[0]?.held.length === 1);
    assert.equal(battery()[0], 'forced');
    await move();
    await until(() => battery()[0] === 'self-consumption');
    await until(() => control.status().length === 0);
  });

  test('is released there when the gateway stops', async (t) => {
    const { post, battery, control, move } = await moving(t);
    await post('battery', { power_w: 1000 });
    await until(() => control.status()[0]?.held.length === 1);
    assert.equal(battery()[0], 'forced');
    await move();
    await control.close();
    assert.equal(battery()[0], 'self-consumption');
  });

  test('is found there by its marker and its watchdog when it is commanded again', async (t) => {
    const { post, battery, control, dataDir, place, watched, move } = await moving(t);
    const markers = createMarkers(join(dataDir, 'control'));
    await post('battery', { power_w: 1000 });
    await until(() => control.status()[0]?.held.length === 1);
    const before = await markers.find('S1');
    assert.notDeepEqual(before?.place, place);
    await move();
    await post('battery', { power_w: 1200 });
    await until(() => battery()[1] === 1200);
    const after = await markers.find('S1');
    assert.deepEqual([after?.id, after?.place, after?.parts], [before?.id, place, ['battery']]);
    assert.deepEqual(watched.at(-1), place);
  });
});

test('a device that is added again with another profile is controlled with that profile', async (t) => {
  const { post, devices, control } = await openControlled(t, sungrowHybrid('S1'));
  await post('battery', { power_w: 1000 });
  await until(() => control.status()[0]?.held.length === 1);
  await post('deinit');
  await until(() => control.status().length === 0);
  await devices.remove('S1');
  const other = await startInverter(huawei('S1'));
  t.after(() => other.close());
  await devices.add(other.connection);
  await post('confirm', {});
  const { status, body } = await post('battery', { power_w: 900 });
  assert.equal(status, 202, JSON.stringify(body));
  await until(() => other.house().battery_W === 900);
});

test('a device that is added again with another profile is not commanded until the old one is released', async (t) => {
  const { post, battery, devices, control, inverter } = await openControlled(t, sungrowHybrid('S1'));
  await post('battery', { power_w: 1000 });
  await until(() => control.status()[0]?.held.length === 1);
  inverter.device.faults.set('exception', { forMs: 600_000 });
  await post('deinit');
  await until(() => control.status()[0]?.fault !== undefined);
  await devices.remove('S1');
  const other = await startInverter(huawei('S1'));
  t.after(() => other.close());
  await devices.add(other.connection);
  await post('confirm', {});
  for (const action of ['battery', 'deinit']) assert.equal((await post(action, { power_w: 900 })).status, 503, action);
  inverter.device.faults.clear();
  await until(() => battery()[0] === 'self-consumption');
  await until(() => control.status().length === 0);
  assert.equal((await post('battery', { power_w: 900 })).status, 202);
});
