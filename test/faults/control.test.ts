import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMarkers } from '#gateway/control/control-journal.ts';
import { systemClock } from '#lib/clock.ts';
import { huawei } from '#sim/modbus/banks/huawei.ts';
import { solaredge } from '#sim/modbus/banks/solaredge.ts';
import { solis } from '#sim/modbus/banks/solis.ts';
import { sungrowHybrid, sungrowString } from '#sim/modbus/banks/sungrow.ts';
import { sunspec } from '#sim/modbus/banks/sunspec.ts';
import { until } from '../until.ts';
import { ownWay_W } from './control-inverter.ts';
import { openControlled, serial } from './control-setup.ts';

const own = ['self-consumption', ownWay_W];
const now = (): number => systemClock.now();

suite('control of a device', { concurrency: 6 }, () => {
  test('the local API commands and releases a battery', async (t) => {
    const { post, battery, control, inverter } = await openControlled(t, sungrowHybrid('S1'));
    const { status, body } = await post('battery', { power_w: -1500 });
    assert.deepEqual([status, body], [202, { status: 'queued', sn: 'S1', action: 'battery', power_w: -1500 }]);
    await until(() => battery()[1] === -1500);
    await until(() => control.status()[0]?.held[0]?.power_w === -1500);
    assert.equal(control.status()[0]?.state, 'held');
    assert.deepEqual((await post('deinit')).body, { status: 'queued', sn: 'S1', action: 'deinit' });
    await until(() => battery()[0] === 'self-consumption');
    await until(() => control.status().length === 0);
    assert.equal(inverter.device.setting(13_051), 0);
  });

  test('a curtailment is lifted while the battery stays commanded', async (t) => {
    const { post, battery, inverter } = await openControlled(t, sungrowHybrid('S1'));
    assert.equal((await post('init')).body.action, 'init');
    await post('battery', { power_w: 1000 });
    await post('curtail', { power_w: 3000 });
    await until(() => inverter.house().pv_W === -3000 && battery()[1] === 1000);
    assert.equal((await post('curtail/disable')).body.action, 'curtail_disable');
    await until(() => inverter.house().pv_W === -5000);
    assert.deepEqual(battery(), ['forced', 1000]);
  });

  test('each part has its own lease', async (t) => {
    const { post, battery, inverter } = await openControlled(t, sungrowHybrid('S1'));
    await post('curtail', { power_w: 3000, ttl_s: 60 });
    await post('battery', { power_w: 1000, ttl_s: 3 });
    await until(() => battery()[1] === 1000);
    await until(() => battery()[0] === 'self-consumption');
    assert.equal(inverter.house().pv_W, -3000);
  });

  test('an impossible command is refused, not applied in part', async (t) => {
    const { post, battery, command, acks } = await openControlled(t, sungrowHybrid('S1'), { isConfirmed: false });
    for (const [action, body, status] of [
      ['battery', { power_w: 5001 }, 400], // the device allows 5000 W
      ['battery', { power_w: -5001 }, 400],
      ['battery', { power_w: 'much' }, 400],
      ['battery', {}, 400],
      ['battery', { power_w: 100, ttl_s: 3601 }, 400],
      ['battery', { power_w: 100, ttl_s: 0 }, 400],
      ['curtail', { power_w: -1 }, 400],
      ['curtail', { power_w: 10_001 }, 400],
    ] as const)
      assert.equal((await post(action, body)).status, status, JSON.stringify(body));
    command('battery', '{"power_w": 1e999, "command_id": "far"}');
    command('battery', { power_w: 9000, command_id: 'much' });
    await until(() => acks.length === 1);
    assert.deepEqual([acks[0]!.command_id, acks[0]!.status], ['much', 'failed']);
    assert.deepEqual(battery(), own);
  });

  for (const bank of [sungrowHybrid('S1'), huawei('S1'), solaredge('S1'), sunspec('S1')]) {
    test(`the battery of ${bank.profile} accepts its rated power and no more`, async (t) => {
      const { post, device } = await openControlled(t, bank);
      const { rated_power } = device.entry().ders.find(({ type }) => type === 'battery')!;
      assert.equal(rated_power, 5000); // the inverter has 10 kW
      for (const sign of [1, -1]) {
        assert.equal((await post('battery', { power_w: sign * 5001 })).status, 400);
        assert.equal((await post('battery', { power_w: sign * 5000 })).status, 202);
      }
    });
  }

  test('a device without a battery is not asked to charge', async (t) => {
    const { post } = await openControlled(t, sungrowString('S2'));
    const { status, body } = await post('battery', { power_w: 100 });
    assert.deepEqual([status, body.message], [400, 'S2 has no battery; it has pv, meter.']);
  });

  test('a device with unproven control needs one confirmation', async (t) => {
    const { post, command, acks, device, devices, inverter } = await openControlled(t, huawei('H1'), {
      isConfirmed: false,
    });
    assert.equal(device.entry().control, 'unconfirmed');
    for (const [action, asked] of [
      ['init', undefined],
      ['battery', { power_w: 100 }],
      ['curtail', { power_w: 100 }],
      ['curtail/disable', undefined],
      ['deinit', undefined],
    ] as const) {
      const { status, body } = await post(action, asked);
      assert.deepEqual([status, body.error], [409, 'control_unconfirmed'], action);
      assert.match(body.message, /ohmstead device confirm H1, or with POST \/api\/control\/H1\/confirm \{\}\.$/);
    }
    assert.equal((await post('battery', { power_w: 'much' })).status, 400);
    command('battery', { power_w: 100, command_id: 'early', timestamp: now() });
    await until(() => acks.length === 1);
    assert.partialDeepStrictEqual(acks[0], { command_id: 'early', status: 'failed' });
    assert.match(acks[0]!.message!, /not confirmed.*ohmstead device confirm H1/);

    const { status, body } = await post('confirm', {});
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['sn', 'confirmed_at']);
    assert.ok(body.sn === 'H1' && Math.abs(body.confirmed_at - now()) < 60_000);
    assert.deepEqual((await post('confirm', {})).body, body);
    assert.equal(device.entry().control, 'confirmed');
    assert.equal((await post('battery', { power_w: 100 })).status, 202);
    await post('deinit');

    await devices.remove('H1');
    assert.equal((await post('confirm', {})).status, 404);
    await devices.add(inverter.connection);
    assert.equal((await post('init')).body.error, 'control_unconfirmed');
  });

  test('a proven device accepts a confirmation but needs none', async (t) => {
    const { post, device } = await openControlled(t, sungrowHybrid('S1'), { isConfirmed: false });
    assert.equal(device.entry().control, 'proven');
    assert.equal((await post('init')).status, 202);
    assert.equal((await post('confirm', {})).status, 200);
    assert.equal(device.entry().control, 'proven');
  });

  test('without a rated power a command is refused, and with one it is accepted', async (t) => {
    const { post, device, battery } = await openControlled(t, solis('X1'));
    assert.match((await post('battery', { power_w: 500 })).body.message, /rated power of X1 is unknown/);
    await device.changeDers((ders) => ders.map((der) => (der.type === 'meter' ? der : { ...der, rated_power: 5000 })));
    assert.equal((await post('battery', { power_w: 500 })).status, 202);
    await until(() => battery()[1] === 500);
  });

  test('a command with a known id has no effect, also after a restart', async (t) => {
    const first = await openControlled(t, sungrowHybrid('S1'));
    const { command, statusesOf, battery } = first;
    command('battery', { power_w: 1000, ttl_s: 2, command_id: 'one', timestamp: now() });
    await until(() => statusesOf('one').includes('released'));
    assert.deepEqual(statusesOf('one'), ['queued', 'applied', 'expired', 'released']);
    command('battery', { power_w: 2000, command_id: 'one', timestamp: now() });
    await until(() => statusesOf('one').length === 5);
    assert.equal(statusesOf('one')[4], 'released');
    assert.deepEqual(battery(), own);

    await first.control.close();
    const second = await openControlled(t, sungrowHybrid('S1'), { dataDir: first.dataDir, devices: first.devices });
    second.command('battery', { power_w: 2000, command_id: 'one', timestamp: now() });
    await until(() => second.statusesOf('one').length === 1);
    assert.equal(second.statusesOf('one')[0], 'released');
    assert.equal((await second.post('battery', { power_w: 2000, command_id: 'one' })).status, 202);
    await sleep(300);
    assert.deepEqual(first.battery(), own);
  });

  test('a local command overrides the platform during its lease', async (t) => {
    const { post, command, statusesOf, battery } = await openControlled(t, sungrowHybrid('S1'));
    command('battery', { power_w: 1000, command_id: 'cloud-1', timestamp: now() });
    await until(() => statusesOf('cloud-1').includes('applied'));
    await post('battery', { power_w: -700, ttl_s: 3 });
    await until(() => battery()[1] === -700);
    await until(() => statusesOf('cloud-1').at(-1) === 'failed');
    command('battery', { power_w: 2000, command_id: 'cloud-2', timestamp: now() });
    await until(() => statusesOf('cloud-2').at(-1) === 'failed');
    await until(() => battery()[0] === 'self-consumption');
    command('battery', { power_w: 1200, command_id: 'cloud-3', timestamp: now() });
    await until(() => battery()[1] === 1200);
  });

  test('taking control of a commanded battery ends nothing', async (t) => {
    const { post, battery, control } = await openControlled(t, sungrowHybrid('S1'), { leaseS: 2 });
    await post('battery', { power_w: 1000, ttl_s: 60 });
    await until(() => control.status()[0]?.held.length === 1);
    assert.equal((await post('init')).status, 202);
    await sleep(4000); // longer than the control lease would have lasted
    assert.deepEqual(battery(), ['forced', 1000]);
    assert.deepEqual(
      control.status()[0]?.held.map(({ subject }) => subject),
      ['battery'],
    );
  });

  test('taking control locally takes it from the platform', async (t) => {
    const { post, command, statusesOf, battery } = await openControlled(t, sungrowHybrid('S1'));
    command('battery', { power_w: 1000, command_id: 'cloud-1', timestamp: now() });
    await until(() => statusesOf('cloud-1').includes('applied'));
    await post('init');
    await until(() => statusesOf('cloud-1').at(-1) === 'released');
    command('battery', { power_w: 2000, command_id: 'cloud-2', timestamp: now() });
    await until(() => statusesOf('cloud-2').at(-1) === 'failed');
    assert.notEqual(battery()[1], 2000);
  });

  test('a clock that was ahead does not lock the platform out', async (t) => {
    let aheadMs = 2 * 3_600_000;
    const clock = { now: () => now() + aheadMs };
    const { post, command, statusesOf, control, battery } = await openControlled(t, sungrowHybrid('S1'), { clock });
    await post('battery', { power_w: 1000, ttl_s: 60 });
    await until(() => control.status()[0]?.held.length === 1);
    await post('deinit');
    await until(() => control.status().length === 0);
    aheadMs = 0;
    command('battery', { power_w: 1200, command_id: 'cloud', timestamp: now() });
    await until(() => statusesOf('cloud').length >= 2);
    assert.deepEqual([statusesOf('cloud')[1], battery()[1]], ['applied', 1200]);
  });

  test('a device that lost its connection is released as soon as it is back', async (t) => {
    const { command, statusesOf, battery, inverter, lines } = await openControlled(t, sungrowHybrid('S1'));
    command('battery', { power_w: 1000, command_id: 'one', ttl_s: 600, timestamp: now() });
    await until(() => statusesOf('one').includes('applied'));
    inverter.device.faults.set('exception', { forMs: 6000 });
    await until(() => lines.some((line) => line.includes('failed to release the device')));
    assert.equal(battery()[0], 'forced');
    await until(() => battery()[0] === 'self-consumption');
    await until(() => statusesOf('one').at(-1) === 'released');
    assert.equal(
      lines.filter((line) => line.includes('failed to release the device')).length,
      1,
      'the alarm is raised once',
    );
  });

  test('stale data ends control, and control cannot start on it', async (t) => {
    const house = await openControlled(t, sungrowHybrid('S1'));
    const { post, battery, device } = house;
    await post('battery', { power_w: 1000 });
    await until(() => battery()[0] === 'forced');
    device.silentMs = () => 31_000;
    await until(() => battery()[0] === 'self-consumption');
    assert.equal((await post('battery', { power_w: 1000 })).status, 503);
  });

  test('fresh solar data does not count for the battery', async (t) => {
    const { post, battery, inverter, device, control } = await openControlled(t, sungrowHybrid('S1'));
    await post('curtail', { power_w: 3000 });
    await post('battery', { power_w: 1000 });
    await until(() => control.status()[0]?.held.length === 2);
    device.silentMs = (kinds) => (kinds?.includes('battery') ? 31_000 : 0);
    await until(() => battery()[0] === 'self-consumption');
    assert.equal(inverter.house().pv_W, -3000);
    for (const action of ['battery', 'init']) assert.equal((await post(action, { power_w: 1000 })).status, 503, action);
    assert.equal((await post('curtail', { power_w: 2000 })).status, 202);
  });

  test('a device that does not obey is released, and the command has failed', async (t) => {
    const { command, statusesOf, battery, inverter } = await openControlled(t, sungrowHybrid('S1'));
    command('battery', { power_w: 1000, command_id: 'one', timestamp: now() });
    await until(() => statusesOf('one').includes('applied'));
    inverter.device.faults.set('exception', { forMs: 3000 });
    command('battery', { power_w: 2000, command_id: 'two', timestamp: now() });
    await until(() => statusesOf('two').includes('failed'));
    await until(() => battery()[0] === 'self-consumption');
    await until(() => statusesOf('one').at(-1) === 'released');
  });

  test('the marker exists from before the first write until the device is back', async (t) => {
    const { post, battery, dataDir, control, inverter } = await openControlled(t, sungrowHybrid('S1'));
    const markers = createMarkers(join(dataDir, 'control'));
    const write = inverter.device.write;
    let markedAtFirstWrite: Promise<boolean> | undefined;
    inverter.device.write = (address, words) => {
      markedAtFirstWrite ??= markers.find('S1').then((marker) => marker?.parts.includes('battery') === true);
      write(address, words);
    };
    await post('battery', { power_w: 1000 });
    await until(() => battery()[0] === 'forced');
    assert.equal(await markedAtFirstWrite, true);
    await control.releaseAndWait('The device is removed.', 'S1');
    assert.deepEqual(battery(), own);
    assert.equal(await markers.find('S1'), undefined);
  });

  test('a gateway releases what its predecessor left under control, and resumes nothing', async (t) => {
    const first = await openControlled(t, sungrowHybrid('S1'));
    await first.post('battery', { power_w: 1000, ttl_s: 600 });
    await until(() => first.battery()[0] === 'forced');
    const markers = createMarkers(join(first.dataDir, 'control'));
    assert.ok(await markers.find('S1'));
    // The second one finds the marker of the first, as if that were dead.
    await openControlled(t, sungrowHybrid('S2'), { dataDir: first.dataDir });
    await until(() => first.battery()[0] === 'self-consumption');
    await until(
      () => markers.find('S1'),
      (marker) => marker === undefined,
    );
    const files = (await readdir(join(first.dataDir, 'control'))).toSorted();
    assert.deepEqual(files, ['commands.log']);
  });

  test('a gateway that stops releases its devices', async (t) => {
    const { post, battery, control } = await openControlled(t, sungrowHybrid('S1'));
    await post('battery', { power_w: 1000 });
    await post('curtail', { power_w: 2000 });
    await until(() => battery()[0] === 'forced');
    await control.close();
    assert.deepEqual(battery(), own);
  });

  test('a topic names a device by its serial, as it is or as in telemetry topics', async (t) => {
    const { control, acks, battery } = await openControlled(t, sungrowHybrid('S.1:a'));
    for (const [name, power_w] of [
      ['S.1:a', 1000],
      ['S_1_a', 1500],
    ] as const) {
      const body = Buffer.from(JSON.stringify({ power_w, command_id: name, timestamp: now() }));
      control.onCommand(`control/${serial}/battery/${name}/ems/commands`, body, false);
      await until(() => acks.some(({ command_id, status }) => command_id === name && status === 'applied'));
      for (const { command_id, topic } of acks) assert.ok(topic.endsWith(`/battery/${command_id}/ems/acks`), topic);
    }
    assert.equal(battery()[0], 'forced');
  });

  test('messages that are not commands are ignored', async (t) => {
    const { control, command, acks, battery } = await openControlled(t, sungrowHybrid('S1'));
    const body = Buffer.from(JSON.stringify({ power_w: 1000, command_id: 'x', timestamp: now() }));
    control.onCommand('control/ohm-ffffffffffffffff/battery/S1/ems/commands', body, false);
    control.onCommand('control/x', body, false);
    command('battery', 'nothing');
    command('battery', { power_w: 1000, command_id: 'kept', timestamp: now() }, true);
    command('battery', { power_w: 1000, command_id: 'old', ttl_s: 60, timestamp: now() - 61_000 });
    command('battery', { power_w: 1000, command_id: 'over', ttl_s: 60, expires_at: now() - 1 });
    command('battery', { power_w: 1000, command_id: 'future', timestamp: now() + 3_600_000 });
    await until(() => acks.length === 3);
    await sleep(200);
    assert.deepEqual(
      acks.map(({ command_id, status }) => [command_id, status]),
      [
        ['old', 'expired'],
        ['over', 'expired'],
        ['future', 'failed'],
      ],
    );
    assert.deepEqual(battery(), own);
  });
});
