import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { Actuator } from '#gateway/control/actuator.ts';
import { createOpenActuator } from '#gateway/control/modbus-actuator.ts';
import { createModbusBuses } from '#gateway/links/modbus/buses.ts';
import { findControl } from '#gateway/profiles/control/index.ts';
import { systemClock } from '#lib/clock.ts';
import type { Bank, Control } from '#sim/modbus/bank.ts';
import { deye } from '#sim/modbus/banks/deye.ts';
import { goodwe } from '#sim/modbus/banks/goodwe.ts';
import { huawei } from '#sim/modbus/banks/huawei.ts';
import { sma } from '#sim/modbus/banks/sma.ts';
import { solaredge } from '#sim/modbus/banks/solaredge.ts';
import { solis } from '#sim/modbus/banks/solis.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { froniusGen24, sunspec } from '#sim/modbus/banks/sunspec.ts';
import { victron } from '#sim/modbus/banks/victron.ts';
import { type Inverter, ownWay_W, startInverter } from './control-inverter.ts';

// The simulated devices were written from the vendors' tables independently, so they do not repeat our mistakes.

type Case = { title: string; bank: Bank; nearW?: number; curtailed_W?: number };

const cases: Case[] = [
  { title: 'Sungrow', bank: sungrowHybrid('SIM'), curtailed_W: -3000 },
  { title: 'Huawei', bank: huawei('SIM'), curtailed_W: -3000 },
  { title: 'SolarEdge', bank: solaredge('SIM'), curtailed_W: -3000 },
  { title: 'Deye, low voltage', bank: deye('SIM', 'low'), nearW: 40, curtailed_W: -3000 }, // whole amperes
  { title: 'Deye, high voltage', bank: deye('SIM', 'high'), nearW: 250, curtailed_W: -3000 },
  { title: 'SMA', bank: sma(1), curtailed_W: -3000 },
  { title: 'GoodWe', bank: goodwe('SIM'), curtailed_W: -4700 }, // of what is fed in: 1000 W load, 700 W battery
  { title: 'Solis', bank: solis('SIM') },
  { title: 'Fronius', bank: froniusGen24('SIM'), curtailed_W: -3000 },
  { title: 'SunSpec', bank: sunspec('SIM'), curtailed_W: -3000 },
  { title: 'Victron', bank: victron('SIM') },
];

async function reach(t: TestContext, bank: Bank): Promise<{ inverter: Inverter; actuator: Actuator }> {
  const inverter = await startInverter(bank);
  const buses = createModbusBuses();
  t.after(async () => {
    await buses.close();
    await inverter.close();
  });
  const actuator = await createOpenActuator(buses, systemClock)(findControl(bank.profile)!, inverter.place);
  return { inverter, actuator };
}

suite('control sequences', { concurrency: 4 }, () => {
  for (const { title, bank, nearW = 0, curtailed_W } of cases) {
    test(`${title}: charges, discharges, idles and returns to automatic`, async (t) => {
      const { inverter, actuator } = await reach(t, bank);
      const learned = await actuator.learn();
      const facts = { ...learned, rated_W: bank.profile === 'deye' ? 12_000 : 10_000 };
      await actuator.take(facts);
      let previousW = 0;
      for (const [count, W] of [2500, -1500, 0, -2000, 1800, 0].entries()) {
        await actuator.set('battery', { W, previousW, count }, facts);
        previousW = W;
        assert.ok(Math.abs(inverter.house().battery_W - W) <= nearW, `${inverter.house().battery_W} W for ${W} W`);
        assert.equal(inverter.device.mode(), 'forced');
      }
      await actuator.release(['battery'], facts, { parts: ['battery'] });
      assert.deepEqual([inverter.device.mode(), inverter.house().battery_W], ['self-consumption', ownWay_W]);
      assert.deepEqual(await actuator.learn(), learned, 'no setting that is needed the next time has changed');
    });

    if (curtailed_W === undefined) continue;
    test(`${title}: generation is limited until the limit is lifted`, async (t) => {
      const { inverter, actuator } = await reach(t, bank);
      const facts = { ...(await actuator.learn()), rated_W: bank.profile === 'deye' ? 12_000 : 10_000 };
      await actuator.set('pv', { W: 3000, previousW: 0, count: 0 }, facts);
      assert.equal(inverter.house().pv_W, curtailed_W);
      await actuator.release(['pv'], facts, { parts: ['pv'] });
      assert.equal(inverter.house().pv_W, -5000);
    });
  }

  test('the settings of a person on a Deye are restored after control', async (t) => {
    const { inverter, actuator } = await reach(t, deye('SIM', 'low'));
    const settings = [108, 109, 128, 129, 154, 166, 172];
    const before = settings.map(inverter.device.setting);
    const facts = { ...(await actuator.learn()), rated_W: 12_000 };
    await actuator.take(facts);
    await actuator.set('battery', { W: 0, previousW: 0, count: 0 }, facts);
    assert.notDeepEqual(settings.map(inverter.device.setting), before);
    await actuator.release(['battery'], facts, { parts: ['battery'] });
    assert.deepEqual(settings.map(inverter.device.setting), before);
  });

  test('a battery command leaves the curtailment of a Deye unchanged', async (t) => {
    const { inverter, actuator } = await reach(t, deye('SIM', 'low'));
    const facts = { ...(await actuator.learn()), rated_W: 12_000 };
    await actuator.set('pv', { W: 3000, previousW: 0, count: 0 }, facts);
    await actuator.take(facts);
    await actuator.set('battery', { W: 1000, previousW: 0, count: 1 }, facts);
    assert.equal(inverter.house().pv_W, -3000);
  });

  for (const { title, bank, limit } of [
    { title: 'Huawei', bank: huawei('SIM'), limit: { 47415: 6, 47416: 4000 } },
    { title: 'Huawei, in percent', bank: huawei('SIM'), limit: { 47415: 7, 47416: 10_000 } },
    { title: 'GoodWe', bank: goodwe('SIM'), limit: { 47509: 1, 47510: 0 } },
    { title: 'SMA', bank: sma(1), limit: { 40915: 4000 } },
    { title: 'Deye', bank: deye('SIM', 'high'), limit: { 143: 400 } },
  ] as { title: string; bank: Bank; limit: Record<number, number> }[]) {
    test(`${title}: the limit of the installer is restored when a curtailment is lifted`, async (t) => {
      const limited = bank.settings!.map(
        ([address, kind, initial]) => [address, kind, limit[address] ?? initial] as const,
      );
      const { inverter, actuator } = await reach(t, { ...bank, settings: limited });
      const facts = { ...(await actuator.learn()), rated_W: 10_000 };
      await actuator.set('pv', { W: 1000, previousW: 0, count: 0 }, facts);
      await actuator.release(['pv'], facts, { parts: ['pv'] });
      const left = Object.keys(limit).map((address) => [address, inverter.device.setting(Number(address))]);
      assert.deepEqual(Object.fromEntries(left), limit);
    });
  }

  test('a device that accepts the registers but behaves differently is detected', async (t) => {
    const deaf: Control = (settings) => {
      settings.set(13_049, 0);
      return {};
    };
    const obeysNothing: Bank = { ...sungrowHybrid('SIM'), control: () => deaf };
    const { actuator } = await reach(t, obeysNothing);
    await assert.rejects(actuator.set('battery', { W: 1000, previousW: 0, count: 0 }, {}), { name: 'NotObeyed' });
  });
});
