import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { createMarkers } from '#gateway/control/control-journal.ts';
import { createOpenActuator } from '#gateway/control/modbus-actuator.ts';
import { createModbusBuses } from '#gateway/links/modbus/buses.ts';
import { findControl } from '#gateway/profiles/control/index.ts';
import { systemClock } from '#lib/clock.ts';
import type { Bank } from '#sim/modbus/bank.ts';
import { sungrowHybrid, sungrowString } from '#sim/modbus/banks/sungrow.ts';
import { sunspec } from '#sim/modbus/banks/sunspec.ts';
import { ModbusException } from '#sim/modbus/device.ts';
import { until } from '../until.ts';
import { type Inverter, startInverter } from './control-inverter.ts';
import { openControlled } from './control-setup.ts';

const batteryPower = 13_051;
const limitSwitch = 13_088;

/** The same device without these registers. */
const without = (bank: Bank, ...addresses: number[]): Bank => ({
  ...bank,
  settings: bank.settings!.filter(([address]) => !addresses.includes(address)),
  control: () => (settings) => ({
    battery: settings.get(13_049) === 2 ? { battery_W: settings.get(13_051) } : undefined,
  }),
});

/** A hybrid inverter whose control models, 123 and 124, have other names. */
function withoutModels(bank: Bank): Bank {
  const renamed: Record<number, number> = { 123: 64_123, 124: 64_124 };
  const rows = bank.holding!.rows.map((row) =>
    typeof row[1] === 'string' && typeof row[2] === 'number' && row[2] in renamed
      ? ([row[0], row[1], renamed[row[2]]!] as const)
      : row,
  );
  return { ...bank, holding: { ...bank.holding!, rows } };
}

suite('a refused sequence', { concurrency: 4 }, () => {
  test('is not started on a string inverter, which lacks the register', async (t) => {
    const { post, control, dataDir } = await openControlled(t, sungrowString('S2'));
    const { status, body } = await post('curtail', { power_w: 3000 });
    assert.deepEqual([status, body.message], [501, 'Sungrow string inverters cannot be limited.']);
    assert.deepEqual([control.status(), await createMarkers(`${dataDir}/control`).find('S2')], [[], undefined]);
  });

  test('ends when it releases something that the device does not have', async (t) => {
    const { post, control } = await openControlled(t, sungrowString('S2'));
    for (const action of ['curtail/disable', 'deinit']) {
      assert.equal((await post(action)).status, 202);
      await until(() => control.status().length === 0);
    }
  });

  test('is not started on an inverter without the control models, and its release ends', async (t) => {
    const { post, control, dataDir } = await openControlled(t, withoutModels(sunspec('P1')));
    for (const [action, body] of [
      ['battery', { power_w: 1000 }],
      ['curtail', { power_w: 3000 }],
      ['init', undefined],
    ] as const) {
      const { status, body: said } = await post(action, body);
      assert.equal(status, 501, action);
      assert.match(said.message, /^The device does not report /);
    }
    assert.equal(await createMarkers(`${dataDir}/control`).find('P1'), undefined);
    await post('deinit');
    await until(() => control.status().length === 0);
  });

  test('of one part does not prevent commands and releases of the other', async (t) => {
    const { post, battery, control } = await openControlled(t, without(sungrowHybrid('S1'), limitSwitch));
    await post('curtail', { power_w: 3000 });
    await until(() => control.status().length === 0);
    await post('battery', { power_w: 1000 });
    await until(() => battery()[1] === 1000);
    await post('deinit');
    await until(() => control.status().length === 0);
    assert.equal(battery()[0], 'self-consumption');
  });
});

/** A hybrid inverter and its actuator. */
async function takeInverter(t: TestContext) {
  const inverter = await startInverter(sungrowHybrid('S1'));
  const buses = createModbusBuses();
  t.after(async () => {
    await buses.close();
    await inverter.close();
  });
  const actuator = await createOpenActuator(buses, systemClock)(findControl('sungrow')!, inverter.place);
  return { inverter, actuator };
}

test('a part that cannot be released does not keep the others from being released, and is reported', async (t) => {
  const { inverter, actuator } = await takeInverter(t);
  const facts = { ...(await actuator.learn()), rated_W: 10_000 };
  await actuator.set('battery', { W: 1000, previousW: 0, count: 0 }, facts);
  const { write } = inverter.device;
  inverter.device.write = (address, words) => {
    if (address === limitSwitch) throw new ModbusException('illegal value');
    write(address, words);
  };
  await assert.rejects(actuator.release(['pv', 'battery'], facts, { parts: ['battery'] }), {
    name: 'ModbusException',
    code: 3,
  });
  assert.equal(inverter.device.mode(), 'self-consumption');
});

/** Its dongle is starting: until then, all registers of the device seem to be missing. */
function startDongle({ device }: Inverter): () => void {
  const { read, write } = device;
  device.read = device.write = () => {
    throw new ModbusException('illegal address');
  };
  return () => Object.assign(device, { read, write });
}

suite('a device whose registers seem to be missing after it was forced', { concurrency: 2 }, () => {
  test('is not considered released', async (t) => {
    const { post, inverter, control, battery, dataDir } = await openControlled(t, sungrowHybrid('S1'));
    await post('battery', { power_w: 1000 });
    await until(() => battery()[1] === 1000);
    await until(control.status, ([device]) => device?.held.length === 1);
    const markers = createMarkers(`${dataDir}/control`);
    assert.deepEqual((await markers.find('S1'))?.registers, [13_049, 13_050, batteryPower]);
    const started = startDongle(inverter);
    await post('deinit');
    await until(control.status, ([device]) => device?.fault !== undefined);
    assert.ok(await markers.find('S1'));
    started();
    await until(() => control.status().length === 0);
    assert.equal(battery()[0], 'self-consumption');
  });

  test('is not considered released because it cannot be read', async (t) => {
    const { inverter, actuator } = await takeInverter(t);
    const facts = await actuator.learn();
    const registers = await actuator.set('battery', { W: 1000, previousW: 0, count: 0 }, facts);
    const { write } = inverter.device;
    const started = startDongle(inverter);
    inverter.device.write = write;
    await assert.rejects(actuator.release(['battery'], facts, { parts: ['battery'], registers }), { code: 2 });
    await actuator.release(['battery'], facts, { parts: ['battery'] });
    started();
    await actuator.release(['battery'], facts, { parts: ['battery'], registers });
  });
});

suite('a device that does not obey', { concurrency: 2 }, () => {
  for (const { title, does, message } of [
    {
      title: 'refuses a register',
      does: () => {
        throw new ModbusException('illegal value');
      },
      message: /illegal data value/i,
    },
    {
      title: 'accepts a register but keeps the old value',
      does: () => {},
      message: new RegExp(`^Register ${batteryPower} holds 0 instead of 1000\\.$`),
    },
  ]) {
    test(`a local caller gets an error for a device that ${title}, until it obeys`, async (t) => {
      const { post, refused, inverter, control, battery } = await openControlled(t, sungrowHybrid('S1'));
      const { write } = inverter.device;
      inverter.device.write = (address, words) => {
        if (address === batteryPower && words[0] !== 0) does();
        else write(address, words);
      };
      assert.equal((await post('battery', { power_w: 1000 })).status, 202);
      const [told] = await until(refused, ({ length }) => length === 1);
      assert.deepEqual(
        { ...told, message: '', at: 0 },
        { sn: 'S1', subject: 'battery', power_w: 1000, message: '', at: 0 },
      );
      assert.match(told!.message, message);
      await until(() => control.status().length === 0);
      assert.equal(battery()[0], 'self-consumption');

      inverter.device.write = write;
      await post('battery', { power_w: 1000 });
      await until(() => battery()[1] === 1000);
      assert.deepEqual(await refused(), []);
    });
  }
});
