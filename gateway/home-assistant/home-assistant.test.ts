import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFakeClock } from '#test/fake-clock.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { openHome, serial, startHomeBroker, startTrial, trialDevice } from './testing/trial.ts';
import { accepted } from './testing/trial-acceptance.ts';

const gatewayConfig = `homeassistant/device/${serial}/config`;
const gatewayStatus = `ohmstead/${serial}/status`;
const gatewayState = `ohmstead/${serial}/state`;
const deviceConfig = `homeassistant/device/${serial}_INV-1/config`;
const deviceStatus = `ohmstead/${serial}/devices/INV-1/status`;
const pvState = `ohmstead/${serial}/devices/INV-1/pv`;
const meterState = `ohmstead/${serial}/devices/INV-1/meter`;

const said = (value: string | undefined): boolean => value !== undefined;

/** Starts a broker, a subscriber to everything, and a gateway with one inverter. */
async function openTrial(t: TestContext, changes: Partial<Parameters<typeof startTrial>[1]> = {}) {
  const broker = await startHomeBroker();
  t.after(() => broker.close());
  const home = await openHome(broker.url);
  t.after(() => home.close());
  const dataDir = temporaryFolder(t);
  const inverter = trialDevice();
  inverter.tell('pv', { W: -3000, total_generation_Wh: 1_234_500 });
  const trial = { devices: [inverter], dataDir, ...changes };
  const bridge = await startTrial(broker.url, trial);
  t.after(() => bridge.close());
  return { broker, home, inverter, dataDir, trial, bridge };
}

test('the gateway is announced first, then its device, in messages that Home Assistant accepts', async (t) => {
  const { home } = await openTrial(t);
  await until(() => home.last(pvState), said);

  const topics = home.heard.map(({ topic }) => topic).filter((topic) => topic.endsWith('/config'));
  assert.deepEqual(topics, [gatewayConfig, deviceConfig]);

  const gateway = accepted(gatewayConfig, home.last(gatewayConfig));
  assert.deepEqual(gateway.dev.ids, [serial]);
  assert.deepEqual(gateway.o, { name: 'Ohmstead', sw: '1.2.3' });
  assert.deepEqual(
    Object.values(gateway.cmps).map(({ uniq_id }) => uniq_id),
    ['running', 'connectivity', 'waiting', 'version'].map((id) => `${serial}_gateway_${id}`),
  );
  assert.deepEqual(JSON.parse(home.last(gatewayState)!), { connected: true, waiting: 3, version: '1.2.3' });

  const device = accepted(deviceConfig, home.last(deviceConfig));
  assert.deepEqual(device.dev, {
    ids: [`${serial}_INV-1`],
    name: 'Sungrow INV-1',
    mf: 'Sungrow',
    mdl: 'Sungrow SH hybrid inverter',
    sn: 'INV-1',
    via_device: serial,
  });
  assert.deepEqual([device.avty, device.avty_mode], [[{ t: gatewayStatus }, { t: deviceStatus }], 'all']);
  assert.deepEqual(device.cmps.pv_total_generation_Wh, {
    p: 'sensor',
    uniq_id: `${serial}_INV-1_pv_total_generation_Wh`,
    stat_t: pvState,
    exp_aft: 90,
    name: 'Solar energy generated',
    dev_cla: 'energy',
    stat_cla: 'total_increasing',
    unit_of_meas: 'kWh',
    sug_dsp_prc: 2,
    val_tpl: '{{ value_json.total_generation_Wh / 1000 if value_json.total_generation_Wh is defined else none }}',
  });
});

test('a field becomes a component when the device first reports it', async (t) => {
  const { home, inverter } = await openTrial(t);
  await until(() => home.last(deviceConfig), said);
  const components = () => Object.keys(accepted(deviceConfig, home.last(deviceConfig)).cmps);
  assert.deepEqual(components(), ['pv_W', 'pv_total_generation_Wh', 'pv_generation_W']);

  inverter.tell('battery', { W: 0, SoC_nom_fract: 0.5, status: 'idle' });
  await until(components, (ids) => ids.includes('battery_SoC_nom_fract'));
  assert.deepEqual(components().slice(3), [
    'battery_W',
    'battery_SoC_nom_fract',
    'battery_charging_W',
    'battery_discharging_W',
  ]);
});

test('a device without readings is not announced', async (t) => {
  const { home } = await openTrial(t, { devices: [trialDevice()] });
  await until(() => home.last(gatewayState), said);
  await sleep(100);
  assert.deepEqual(
    home.heard.filter(({ topic }) => topic.includes('INV-1')),
    [],
  );
});

test('a state contains the values in our units and signs with their time, and is not retained', async (t) => {
  const { broker, home, inverter } = await openTrial(t);
  inverter.tell('meter', { W: 1200, L1_V: 230.4 }, 1_780_000_001_000);
  const state = await until(() => home.last(meterState), said);
  assert.deepEqual(JSON.parse(state!), { timestamp: 1_780_000_001_000, W: 1200, L1_V: 230.4 });
  assert.deepEqual(broker.topics(), [gatewayConfig, deviceConfig, deviceStatus, gatewayStatus].toSorted());
});

test('the latest of many readings is published, once per interval', async (t) => {
  const { home, inverter } = await openTrial(t, { everyMs: 100 });
  await until(() => home.last(pvState), said);
  const before = home.count(pvState);
  const started = performance.now();
  for (let W = 1; W <= 100; W++) {
    inverter.tell('pv', { W: -W });
    await sleep(5);
  }
  await until(
    () => JSON.parse(home.last(pvState)!).W,
    (W) => W === -100,
  );
  const intervals = Math.ceil((performance.now() - started) / 100) + 1;
  assert.ok(home.count(pvState) - before <= intervals, `${home.count(pvState) - before} in ${intervals} intervals`);
});

test('a value that is not in every reading is kept for a minute, and is then absent, not zero', async (t) => {
  const monotonic = createFakeClock(1000);
  const { home, inverter } = await openTrial(t, { monotonic });
  const told = () => JSON.parse(home.last(meterState) ?? '{}');
  inverter.tell('meter', { W: 1, L1_V: 230 });
  await until(told, ({ W }) => W === 1);
  monotonic.advance(50_000);
  inverter.tell('meter', { W: 2 });
  assert.equal((await until(told, ({ W }) => W === 2)).L1_V, 230);
  monotonic.advance(50_000);
  inverter.tell('meter', { W: 3 });
  assert.deepEqual(Object.keys(await until(told, ({ W }) => W === 3)), ['timestamp', 'W']);
});

test('an unchanged state is published again before it expires, for a minute', async (t) => {
  const monotonic = createFakeClock(1000);
  const { home } = await openTrial(t, { monotonic });
  await until(() => home.last(pvState), said);
  await sleep(100);
  assert.equal(home.count(pvState), 1);
  monotonic.advance(30_000);
  await until(
    () => home.count(pvState),
    (count) => count === 2,
  );
  monotonic.advance(31_000);
  await sleep(100);
  assert.equal(home.count(pvState), 2);
});

test('a lost device is unavailable, and publishes nothing until it is back', async (t) => {
  const { home, inverter } = await openTrial(t);
  await until(
    () => home.last(deviceStatus),
    (status) => status === 'online',
  );
  inverter.isConnected = false;
  await until(
    () => home.last(deviceStatus),
    (status) => status === 'offline',
  );
  const count = home.count(pvState);
  inverter.tell('pv', { W: -1 });
  await sleep(100);
  assert.equal(home.count(pvState), count);
  inverter.isConnected = true;
  await until(
    () => home.last(deviceStatus),
    (status) => status === 'online',
  );
  await until(
    () => JSON.parse(home.last(pvState)!).W,
    (W) => W === -1,
  );
});

test('everything is published again when Home Assistant announces its start', async (t) => {
  const { home } = await openTrial(t);
  const topics = [gatewayConfig, gatewayStatus, gatewayState, deviceConfig, deviceStatus, pvState];
  await until(() => home.last(pvState), said);
  await sleep(100);
  assert.deepEqual(topics.map(home.count), [1, 1, 1, 1, 1, 1]);
  await home.say('homeassistant/status', 'offline');
  await home.say('homeassistant/status', 'online');
  await until(
    () => topics.map(home.count).join(),
    (counts) => counts === '2,2,2,2,2,2',
  );
});

test('a removed device is withdrawn', async (t) => {
  const { broker, home, trial } = await openTrial(t);
  await until(() => home.last(pvState), said);
  trial.devices.pop();
  await until(
    () => home.last(deviceStatus),
    (status) => status === '',
  );
  assert.equal(home.last(deviceConfig), '');
  await sleep(100);
  assert.equal(home.count(deviceConfig), 2); // announced once, withdrawn once
  assert.deepEqual(broker.topics(), [gatewayConfig, gatewayStatus]);
});

test('a device that was removed while the broker was unreachable is withdrawn afterwards', async (t) => {
  const { broker, home, trial, bridge } = await openTrial(t);
  await until(() => home.last(pvState), said);
  await bridge.close();
  const again = await startTrial(broker.url, { ...trial, devices: [] });
  t.after(() => again.close());
  await until(
    () => home.last(deviceConfig),
    (config) => config === '',
  );
});

test('a restart announces the same fields, including those not reported again yet', async (t) => {
  const { broker, home, inverter, trial, bridge } = await openTrial(t);
  inverter.tell('meter', { W: 500, total_import_Wh: 678_900 });
  const before = await until(
    () => home.last(deviceConfig),
    (config) => config?.includes('total_import_Wh') ?? false,
  );
  await bridge.close();
  assert.equal(home.last(gatewayStatus), 'offline');

  const heard = home.heard.length;
  const started = trialDevice();
  started.tell('meter', { W: 500 });
  const again = await startTrial(broker.url, { ...trial, devices: [started] });
  t.after(() => again.close());
  await until(
    () => home.last(gatewayStatus),
    (status) => status === 'online',
  );
  await until(() => home.heard.slice(heard).some(({ topic }) => topic === meterState), Boolean);
  const configs = home.heard.slice(heard).filter(({ topic }) => topic === deviceConfig);
  assert.deepEqual(
    configs.map(({ text }) => text),
    [before],
  );
});

test('nothing waits for an unreachable broker; the outage is logged when it begins and when it ends', async (t) => {
  const { broker, home, inverter, bridge } = await openTrial(t);
  await until(() => home.last(pvState), said);
  await broker.close();
  await until(
    () => bridge.logged('could not be reached'),
    (count) => count === 1,
  );
  for (let W = 1; W <= 20; W++) {
    inverter.tell('pv', { W: -W });
    await sleep(20);
  }
  const back = await startHomeBroker({ port: broker.port });
  t.after(() => back.close());
  const states = () => back.published.filter(({ topic }) => topic === pvState).map(({ text }) => JSON.parse(text).W);
  await until(states, ({ length }) => length > 0);
  assert.deepEqual(states(), [-20]);
  accepted(deviceConfig, back.retained.get(deviceConfig)); // this broker had lost it
  assert.deepEqual(
    ['could not be reached', 'disconnected from', 'connected to the broker', 'failed'].map(bridge.logged),
    [1, 1, 2, 0],
  );
});

test('a gateway that closes during many messages ends up offline', async (t) => {
  const announcing = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const broker = await startHomeBroker({
    authorizePublish(_client, { topic }, done) {
      if (topic === gatewayConfig) announcing.resolve();
      if (topic === gatewayConfig) void held.promise.then(() => done(null));
      else done(null);
    },
  });
  t.after(() => broker.close());
  const dataDir = temporaryFolder(t);
  const bridge = await startTrial(broker.url, { devices: [], dataDir });
  await until(
    () => bridge.logged('connected to the broker'),
    (count) => count === 1,
  );
  await announcing.promise;
  const closed = bridge.close();
  held.resolve();
  await closed;
  const statuses = broker.published.filter(({ topic }) => topic === gatewayStatus).map(({ text }) => text);
  assert.deepEqual(statuses, ['offline']);
});
