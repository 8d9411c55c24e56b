import assert from 'node:assert/strict';
import { type EventEmitter, once } from 'node:events';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import { createFakeClock } from '#test/fake-clock.ts';
import { until } from '#test/until.ts';
import { type FixedValues, fixedHouse } from '../testing/fixed-house.ts';
import { startAmbibox } from './ambibox.ts';
import { startFerroamp } from './ferroamp.ts';
import { startFerroampDc2 } from './ferroamp-dc2.ts';
import type { MqttDevice, MqttDeviceOptions } from './mqtt-device.ts';

const start = Date.UTC(2025, 5, 21, 12);
const values: FixedValues = {
  pv_W: -5000,
  battery_W: 1200,
  battery_soc_fract: 0.4,
  load_W: 1040,
  charger_W: 3000,
  vehicle_soc_fract: 0.55,
  Wh: { imported: 5_000_100, charged: 300_300 },
};

type Heard = { topic: string; payload: string };
type Json = Record<string, Record<string, string>>;

async function visit(t: TestContext, startPlayer: (options: MqttDeviceOptions) => Promise<MqttDevice>, changed = {}) {
  const clock = createFakeClock(start);
  const house = fixedHouse({ ...values, ...changed });
  const player = await startPlayer({ house, clock, port: 0, paceMs: 20 });
  const client = await connectAsync(`mqtt://127.0.0.1:${player.port}`, { ...player.login, reconnectPeriod: 0 });
  t.after(async () => {
    await client.endAsync(true);
    await player.close();
  });
  const heard: Heard[] = [];
  client.on('message', (topic, payload) => heard.push({ topic, payload: payload.toString('latin1') }));
  await client.subscribeAsync('#');

  /** Returns the next message on a topic. */
  async function next(topic: string, fits: (payload: string) => boolean = () => true): Promise<string> {
    heard.length = 0;
    const found = await until(() => heard.find((message) => message.topic === topic && fits(message.payload)));
    return found!.payload;
  }
  /** Returns all messages between two messages on the last topic. */
  async function around(last: string): Promise<Heard[]> {
    heard.length = 0;
    const told = () => heard.flatMap(({ topic }, index) => (topic === last ? [index] : []));
    const [from, to] = await until(told, ({ length }) => length >= 2);
    return heard.slice(from! + 1, to! + 1);
  }
  return { player, client, clock, state: () => house.at(clock.now()), heard, next, around };
}

suite('Ferroamp EnergyHub', () => {
  const request = async (client: MqttClient, next: (topic: string) => Promise<string>, cmd: object | string) => {
    const answer = next('extapi/control/response');
    const payload = typeof cmd === 'string' ? cmd : JSON.stringify({ transId: 'abc', cmd });
    await client.publishAsync('extapi/control/request', payload);
    return JSON.parse(await answer) as { transId: string; status: string };
  };

  test('reports numbers as text, energy in mJ, discharge and import positive', async (t) => {
    const { next } = await visit(t, startFerroamp);
    const ehub = JSON.parse(await next('extapi/data/ehub', (payload) => payload.includes('"soc"'))) as Json;
    const { L1, L2, L3 } = ehub.pext!;
    assert.equal(Number(L1) + Number(L2) + Number(L3), 240);
    assert.equal(typeof L1, 'string');
    assert.deepEqual(
      [ehub.ppv, ehub.pbat, ehub.gridfreq, ehub.soc, ehub.ts],
      ['5000.00', '-1200.00', '50.00', '40.0', '2025-06-21T12:00:00UTC'].map((val) => ({ val })),
    );
    assert.equal(Number(ehub.wextconsq3p!.val) / 3_600_000, 5_000_100);
    const eso = JSON.parse(await next('extapi/data/eso')) as Json;
    assert.match(eso.id!.val!, /^SIM/);
    assert.ok(Math.abs(Number(eso.ubat!.val) * Number(eso.ibat!.val) + 1200) < 1);
    assert.equal(Number(eso.wbatcons!.val) / 3_600_000, 300_300);
    const sso = JSON.parse(await next('extapi/data/sso', (payload) => payload.includes('SIMSSO01'))) as Json;
    assert.ok(Math.abs(Number(sso.upv!.val) * Number(sso.ipv!.val) - 3000) < 1);
    assert.match(await next('extapi/data/esm'), /SIMESM01/);
  });

  test('accepts charge, discharge and auto, and a forced mode expires after seconds', async (t) => {
    const { client, next, clock, state, player } = await visit(t, startFerroamp);
    const ask = (cmd: object | string) => request(client, next, cmd);
    const { transId, status } = await ask({ name: 'charge', arg: 2500 });
    assert.deepEqual([transId, status, player.mode(), state().battery_W], ['abc', 'ack', 'forced', 2500]);
    clock.advance(14_999);
    assert.equal(player.mode(), 'forced');
    clock.advance(1);
    assert.deepEqual([player.mode(), state().battery_W], ['self-consumption', 1200]);
    await ask({ name: 'discharge', arg: '1500' });
    assert.equal(state().battery_W, -1500);
    await ask({ name: 'discharge', arg: 0 });
    assert.deepEqual([player.mode(), state().battery_W], ['forced', 0]);
    await ask({ name: 'auto' });
    assert.deepEqual([player.mode(), state().battery_W], ['self-consumption', 1200]);
  });

  test('rejects unknown commands', async (t) => {
    const { client, next, player } = await visit(t, startFerroamp);
    for (const cmd of [{ name: 'dance' }, { name: 'charge' }, { name: 'charge', arg: -5 }, 'no JSON'])
      assert.equal((await request(client, next, cmd)).status, 'nak', JSON.stringify(cmd));
    assert.equal((await request(client, next, { name: 'extapiversion' })).status, 'ack');
    player.faults.set('exception');
    assert.equal((await request(client, next, { name: 'auto' })).status, 'nak');
  });

  test('limits PV; a limit of 0 cannot be lifted', async (t) => {
    const { client, next, state } = await visit(t, startFerroamp);
    for (const [arg, pv_W] of [
      [2000, -2000],
      [10_000, -5000],
      [0, 0],
      [10_000, 0],
    ] as const) {
      await request(client, next, { name: 'pplim', arg });
      assert.equal(state().pv_W + 0, pv_W);
    }
  });

  test('requires its password', async (t) => {
    const { player } = await visit(t, startFerroamp);
    const login = { username: 'extapi', password: 'wrong', reconnectPeriod: 0 };
    await assert.rejects(connectAsync(`mqtt://127.0.0.1:${player.port}`, login), /Bad username or password/);
  });
});

suite('Ambibox charger', () => {
  const topic = (name: string): string => `device/evCharger/SIM1/${name}`;

  test('reports one value per topic, charge positive', async (t) => {
    const { around } = await visit(t, startAmbibox);
    const heard = await around(topic('powerAc'));
    const told = Object.fromEntries(heard.map(({ topic, payload }) => [topic.split('/')[3], payload]));
    assert.equal(told.powerAc, '3000');
    assert.deepEqual([told.evConnected, told.sessionState, told.soc], ['true', 'CHARGE_LOOP', '55.0']);
    const sum = [1, 2, 3].reduce((W, n) => W + Number(told[`voltageAc${n}`]) * Number(told[`currentAc${n}`]), 0);
    assert.ok(Math.abs(sum - 3000) < 10, `${sum} W`);
    assert.equal(Number(told.powerDc), 2880);
  });

  test('reports no values of a car when none is connected', async (t) => {
    const { next, around } = await visit(t, startAmbibox, { charger_W: 0, isPlugged: false });
    const heard = await around(topic('powerAc'));
    assert.ok(heard.every(({ topic }) => !topic.endsWith('/soc')));
    assert.equal(await next(topic('evConnected')), 'false');
  });

  for (const { on, payload, charger_W } of [
    { on: 'device/ess/0/targetPower', payload: '-2400', charger_W: -2400 },
    { on: topic('targetPower'), payload: '-2400', charger_W: 2500 }, // DC watts, negative is charge
  ]) {
    test(`takes its target from ${on}`, async (t) => {
      const { client, next, player } = await visit(t, startAmbibox);
      await client.publishAsync(on, payload);
      await next(topic('powerAc'), (W) => Number(W) === charger_W);
      assert.equal(player.mode(), 'forced');
    });
  }
});

suite('Ferroamp DC2 charger', () => {
  test('reports voltage and current, and accepts percentages once MQTT is the controller', async (t) => {
    const { client, next, state, player } = await visit(t, startFerroampDc2);
    const pecc = JSON.parse(await next('dc2/v2x/pecc')) as { PECCStatus2: Record<string, number> };
    assert.equal(pecc.PECCStatus2.measuredVoltage! * pecc.PECCStatus2.measuredCurrent!, 3000);
    assert.match(await next('dc2/v2x/system'), /"Host":"SIMDC2001","State":"Charging"/);
    const set = async (name: string, value: unknown) => {
      await client.publishAsync(`dc2/ui/control/${name}`, JSON.stringify({ timestamp: 1, value }), { qos: 1 });
      await next('dc2/v2x/system');
    };
    await set('power', -20);
    assert.deepEqual([player.mode(), state().charger_W], ['self-consumption', 3000]);
    await set('controller', 'MQTT');
    await set('power', -20);
    await next('dc2/v2x/system', (payload) => payload.includes('"State":"Discharging"')); // others were on their way
    assert.deepEqual([player.mode(), state().charger_W], ['forced', -4000]);
  });
});

suite('faults of MQTT devices', () => {
  const onEhub = ({ topic }: Heard): boolean => topic === 'extapi/data/ehub';

  for (const { fault, says } of [
    { fault: 'silence', says: (heard: Heard[]) => heard.length === 0 },
    { fault: 'late', says: (heard: Heard[]) => heard.length === 0 },
    {
      fault: 'cut-frame',
      says: (heard: Heard[]) => heard.length > 0 && heard.every(({ payload }) => /^\{[^}].*[^}]$/.test(payload)),
    },
    {
      fault: 'garbage',
      says: (heard: Heard[]) => heard.length > 0 && !heard.some(({ payload }) => payload.includes('{"')),
    },
    { fault: 'flood', says: (heard: Heard[]) => heard.length >= 200 },
    { fault: 'bit-flip', says: (heard: Heard[]) => heard.length > 0 },
  ] as const) {
    test(`${fault} is visible on the wire until it is cleared`, async (t) => {
      const { player, next, heard } = await visit(t, startFerroamp);
      const truth = await next('extapi/data/ehub', (payload) => !payload.includes('"soc"'));
      player.faults.set(fault, { ms: 60_000 });
      await setTimeout(60);
      heard.length = 0;
      await setTimeout(100);
      const seen = await until(() => heard.filter(onEhub), says);
      if (fault !== 'flood') assert.ok(seen.every(({ payload }) => payload !== truth));
      player.faults.clear();
      assert.equal(await next('extapi/data/ehub', (payload) => payload === truth), truth);
    });
  }

  test('close closes the connections', async (t) => {
    const { player, client } = await visit(t, startFerroamp);
    const closed = once(client as unknown as EventEmitter, 'close');
    player.faults.set('close');
    await closed;
  });
});
