import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandTopic } from '#contract/topics.ts';
import type { Actuator } from '#gateway/control/actuator.ts';
import { openControl } from '#gateway/control/control.ts';
import type { ControlledDevice } from '#gateway/control/limits.ts';
import { createOpenActuator } from '#gateway/control/modbus-actuator.ts';
import type { DeviceAddress } from '#gateway/devices/resolve-address.ts';
import { createModbusBuses } from '#gateway/links/modbus/buses.ts';
import { findControl } from '#gateway/profiles/control/index.ts';
import { findProfile } from '#gateway/profiles/index.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { startAmbibox } from '#sim/mqtt/ambibox.ts';
import { startBroker } from '#sim/mqtt/broker.ts';
import { startFerroamp } from '#sim/mqtt/ferroamp.ts';
import { startFerroampDc2 } from '#sim/mqtt/ferroamp-dc2.ts';
import type { MqttDevice, MqttDeviceOptions } from '#sim/mqtt/mqtt-device.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { type ControlGateway, startControlGateway } from './control-gateway.ts';
import { serial } from './control-setup.ts';
import { nobody } from './controlled-devices.ts';

async function reach(t: TestContext, profile: string, start: (options: MqttDeviceOptions) => Promise<MqttDevice>) {
  const house = fixedHouse({ pv_W: -5000, battery_W: 700, charger_W: 2000, load_W: 1000 });
  const player = await start({ house, clock: systemClock, port: 0, paceMs: 100 });
  const { host, port, login, faults, mode } = player;
  const open = createOpenActuator(createModbusBuses(), systemClock);
  const place: DeviceAddress = { kind: 'mqtt', host, port, ...login };
  const actuator: Actuator = await open(findControl(profile)!, place);
  t.after(async () => {
    await actuator.close();
    await player.close();
  });
  return { actuator, place, faults, mode, house: () => house.at(systemClock.now()) };
}

const asked = (W: number) => ({ W, previousW: 0, count: 0 });

suite('control through a broker', { concurrency: 3 }, () => {
  test('an EnergyHub charges, discharges, idles and returns to automatic', async (t) => {
    const { actuator, house, mode } = await reach(t, 'ferroamp', startFerroamp);
    const facts = await actuator.learn();
    for (const W of [2500, -1500, 0]) {
      await actuator.set('battery', asked(W), facts);
      assert.deepEqual([mode(), house().battery_W], ['forced', W]);
    }
    await actuator.release(['battery'], facts, { parts: ['battery'] });
    assert.deepEqual([mode(), house().battery_W], ['self-consumption', 700]);
  });

  test('the generation of an EnergyHub is limited, never to zero, and restored', async (t) => {
    const { actuator, house } = await reach(t, 'ferroamp', startFerroamp);
    const facts = { rated_W: 8000 };
    await actuator.set('pv', asked(3000), facts);
    assert.equal(house().pv_W, -3000);
    await actuator.set('pv', asked(0), facts);
    await actuator.release(['pv'], facts, { parts: ['pv'] });
    assert.equal(house().pv_W, -5000, 'a limit of 0 W would last forever');
  });

  test('the generation of an EnergyHub is restored even if this gateway did not limit it', async (t) => {
    const { actuator, house, place } = await reach(t, 'ferroamp', startFerroamp);
    await actuator.set('pv', asked(3000), {});
    const device = {
      sn: 'F1',
      profile: findProfile('ferroamp')!,
      kept: {},
      ders: [{ type: 'pv', rated_power: 8000 }],
      isConnected: true,
      silentMs: () => 0,
    } as unknown as ControlledDevice;
    const control = await openControl({
      serial,
      devices: { find: () => device, list: () => [device] },
      addressOf: async () => place,
      buses: createModbusBuses(),
      publishAck: () => {},
      dataDir: temporaryFolder(t),
      leaseS: 300,
      clock: systemClock,
      openWatchdog: () => nobody,
      log: createLog({ level: 'silent', name: 'test' }),
    });
    t.after(() => control.close());
    control.start();
    await control.release('F1', 'pv');
    await until(() => control.status().length === 0);
    assert.equal(house().pv_W, -5000);
  });

  test('limited generation is not restored while its rated power is unknown, and this is reported', async (t) => {
    const { actuator } = await reach(t, 'ferroamp', startFerroamp);
    await assert.rejects(actuator.release(['pv'], {}, { parts: ['pv'] }), { name: 'MissingFact' });
    await actuator.release(['pv'], {}, { parts: [] });
  });

  test('an EnergyHub that refuses or does not answer has not obeyed', async (t) => {
    const { actuator, faults } = await reach(t, 'ferroamp', startFerroamp);
    faults.set('exception');
    await assert.rejects(actuator.set('battery', asked(1000), {}), { name: 'NotObeyed' });
    faults.set('silence');
    await assert.rejects(actuator.release(['battery'], {}, { parts: ['battery'] }), { name: 'LinkError' });
  });

  for (const { profile, start } of [
    { profile: 'ambibox', start: startAmbibox },
    { profile: 'ferroamp_dc2', start: startFerroampDc2 },
  ]) {
    test(`a charger (${profile}) charges, discharges and idles`, async (t) => {
      const { actuator, house } = await reach(t, profile, start);
      const facts = await actuator.learn();
      assert.deepEqual(
        facts,
        profile === 'ambibox' ? { charge_W: 11_000, discharge_W: 11_000 } : { charge_W: 20_000, discharge_W: 20_000 },
      );
      for (const W of [5000, -3000, 0]) {
        await actuator.set('battery', asked(W), facts);
        assert.equal(house().charger_W, W);
      }
      await actuator.set('battery', asked(1000), facts);
      await actuator.release(['battery'], facts, { parts: ['battery'] });
      assert.equal(house().charger_W, 0);
    });
  }

  test('an Ambibox is woken first, and is trusted when it reports its target only on change', async (t) => {
    const heard: string[] = [];
    let target = '0';
    const charger = await startBroker({
      port: 0,
      receive(topic, payload) {
        heard.push(`${topic} ${payload}`);
        if (topic !== 'device/ess/0/targetPower' || payload === target) return;
        target = payload;
        charger.publish('device/evCharger/A1/targetPower', target, { retain: true });
      },
    });
    for (const name of ['chargePowerMax', 'dischargePowerMax'])
      charger.publish(`device/evCharger/A1/${name}`, '11000', { retain: true });
    t.after(() => charger.close());
    const open = createOpenActuator(createModbusBuses(), systemClock);
    const place: DeviceAddress = { kind: 'mqtt', host: charger.host, port: charger.port };
    const actuator = await open(findControl('ambibox')!, place);
    t.after(() => actuator.close());
    const facts = await actuator.learn();
    await actuator.take(facts);
    await actuator.set('battery', asked(5000), facts);
    await actuator.set('battery', asked(5000), facts);
    const set = 'device/ess/0/targetPower 5000';
    assert.deepEqual(heard, ['device/evCharger/A1/wakeUp true', set, set]);
    const another = await open(findControl('ambibox')!, place);
    t.after(() => another.close());
    await assert.rejects(
      another.set('battery', asked(5000), facts),
      { name: 'LinkError' },
      'a retained value may be old',
    );
  });

  test('an EnergyHub is released when its gateway is killed', async (t) => {
    const house = fixedHouse({ pv_W: -5000, battery_W: 700, load_W: 1000 });
    const forcedMs = 600_000; // longer than the test: it does not return by itself
    const hub = await startFerroamp({ house, clock: systemClock, port: 0, paceMs: 100, forcedMs });
    const broker = await startBroker({ port: 0, receive: () => {} });
    let gateway: ControlGateway | undefined;
    t.after(async () => {
      gateway?.signal('gateway', 'SIGKILL');
      await gateway?.ended;
      await sleep(500); // for the watchdog, which has nothing left to do
      await broker.close();
      await hub.close();
    });
    gateway = await startControlGateway({
      dataDir: temporaryFolder(t),
      serial,
      broker: `mqtt://${broker.host}:${broker.port}`,
      connection: { type: 'mqtt', profile: 'ferroamp', broker_host: hub.host, broker_port: hub.port, ...hub.login },
    });
    const topic = commandTopic(serial, 'battery', gateway.sn);
    const ask = setInterval(() => {
      broker.publish(topic, JSON.stringify({ power_w: -1000, ttl_s: 600, timestamp: systemClock.now() }));
    }, 500); // a command is refused until the hub has reported its rated power
    try {
      await until(() => hub.mode() === 'forced');
    } finally {
      clearInterval(ask);
    }
    gateway.signal('gateway', 'SIGKILL');
    await until(() => hub.mode() === 'self-consumption', Boolean, 10_000);
  });
});
