import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#lib/clock.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { until } from '../until.ts';
import { openControlled } from './control-setup.ts';

const now = (): number => systemClock.now();

suite('a release by the platform', { concurrency: 4 }, () => {
  test('returns a battery to automatic long before its lease ends, and keeps the solar limit', async (t) => {
    const { command, statusesOf, battery, acks, inverter, control } = await openControlled(t, sungrowHybrid('S1'));
    command('battery', { power_w: 1000, command_id: 'charge', ttl_s: 600, timestamp: now() });
    command('pv', { power_w: 3000, command_id: 'limit', ttl_s: 600, timestamp: now() });
    await until(() => battery()[1] === 1000 && inverter.house().pv_W === -3000);
    command('battery', { action: 'release', timestamp: now() });
    await until(() => statusesOf('charge').at(-1) === 'released');
    assert.equal(battery()[0], 'self-consumption');
    assert.equal(acks.at(-1)?.message, 'The release was requested.');
    assert.equal(inverter.house().pv_W, -3000);
    command('pv', { action: 'release', timestamp: now() });
    await until(() => statusesOf('limit').at(-1) === 'released');
    assert.deepEqual([inverter.house().pv_W, control.status()], [-5000, []]);
  });

  test('does not end a local command', async (t) => {
    const { post, command, battery } = await openControlled(t, sungrowHybrid('S1'));
    await post('battery', { power_w: 1200 });
    await until(() => battery()[1] === 1200);
    command('battery', { action: 'release', timestamp: now() });
    await sleep(300);
    assert.deepEqual(battery(), ['forced', 1200]);
  });

  test('refuses a command that was issued before it, also after a restart', async (t) => {
    const first = await openControlled(t, sungrowHybrid('S1'));
    const issued = now();
    first.command('battery', { action: 'release', timestamp: issued + 1 });
    first.command('battery', { power_w: 1000, command_id: 'late', timestamp: issued });
    await until(() => first.statusesOf('late').at(-1) === 'failed');
    await first.control.close();
    const second = await openControlled(t, sungrowHybrid('S1'), { dataDir: first.dataDir, devices: first.devices });
    second.command('battery', { power_w: 1000, command_id: 'later', timestamp: issued });
    await until(() => second.statusesOf('later').at(-1) === 'failed');
    second.command('battery', { power_w: 1000, command_id: 'new', timestamp: issued + 2 });
    await until(() => first.battery()[1] === 1000);
  });

  test('without a command writes and publishes nothing', async (t) => {
    const { command, acks, inverter, lines } = await openControlled(t, sungrowHybrid('S1'));
    let writes = 0;
    const { write } = inverter.device;
    inverter.device.write = (address, words) => {
      writes++;
      write(address, words);
    };
    command('battery', { action: 'release', timestamp: now() });
    command('pv', { action: 'release' }, true);
    await until(() => lines.some((line) => line.includes('command refused')));
    await sleep(200);
    assert.deepEqual([writes, acks], [0, []]);
  });
});
