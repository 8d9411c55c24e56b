import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { after, before, suite, type TestContext, test } from 'node:test';
import { openHome, startHomeBroker } from '#gateway/home-assistant/testing/trial.ts';
import { accepted } from '#gateway/home-assistant/testing/trial-acceptance.ts';
import { type Street, startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { listenOnLoopback } from '../listen-on-loopback.ts';
import { startStopwatch } from '../stopwatch.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { openGateway } from './open-gateway.ts';

const sn = 'SIMSUNGROW0001';
const house = fixedHouse({ pv_W: -3000, battery_W: 1000, battery_soc_fract: 0.57, load_W: 500 });

let street: Street;
before(async () => {
  street = await startStreet({ only: ['sungrow'], portBase: 0, house });
});
after(() => street.close());

const hybrid = () => street.players.find(({ name }) => name === 'sungrow')!.connection;

async function openBroker(t: TestContext) {
  const broker = await startHomeBroker();
  t.after(() => broker.close());
  const home = await openHome(broker.url);
  t.after(() => home.close());
  return { broker, home };
}

suite('a gateway in Home Assistant', () => {
  test('an inverter that is added appears with its values, returns after a restart, and disappears when it is removed', async (t) => {
    const { broker, home } = await openBroker(t);
    const gateway = await openGateway({ HOME_ASSISTANT_URL: broker.url, HARVEST_MS: '100' });
    t.after(() => gateway.close());
    const config = `homeassistant/device/${gateway.serial}_${sn}/config`;
    const state = (kind: string) => JSON.parse(home.last(`ohmstead/${gateway.serial}/devices/${sn}/${kind}`) ?? '{}');
    const online = () => broker.retained.get(`ohmstead/${gateway.serial}/status`);
    assert.equal((await gateway.call('POST', '/api/devices', hybrid())).status, 201);

    await until(
      () => state('meter').W,
      (W) => W !== undefined,
    );
    const { dev, cmps } = accepted(config, broker.retained.get(config));
    accepted(
      `homeassistant/device/${gateway.serial}/config`,
      broker.retained.get(`homeassistant/device/${gateway.serial}/config`),
    );
    assert.equal(dev.via_device, gateway.serial);
    const sources = Object.entries(cmps).filter(([, { dev_cla }]) => dev_cla === 'energy');
    assert.deepEqual(
      sources.map(([id, { stat_cla, unit_of_meas }]) => [id, stat_cla, unit_of_meas].join(' ')).toSorted(),
      [
        'battery_total_charge_Wh total_increasing kWh',
        'battery_total_discharge_Wh total_increasing kWh',
        'meter_total_export_Wh total_increasing kWh',
        'meter_total_import_Wh total_increasing kWh',
        'pv_total_generation_Wh total_increasing kWh',
      ],
    );
    assert.deepEqual(
      Object.entries(cmps).map(([id, { uniq_id }]) => [id, uniq_id]),
      Object.keys(cmps).map((id) => [id, `${gateway.serial}_${sn}_${id}`]),
    );
    const [pv, battery, meter] = [state('pv'), state('battery'), state('meter')];
    assert.deepEqual([pv.W, battery.W, meter.W], [-3000, 1000, -1500]);
    assert.deepEqual(
      [pv.total_generation_Wh, meter.total_import_Wh, battery.SoC_nom_fract],
      [1_234_500, 678_900, 0.57],
    );

    const told = broker.retained.get(config);
    await gateway.restart();
    await until(online, (status) => status === 'online');
    await until(
      () => broker.retained.get(`ohmstead/${gateway.serial}/devices/${sn}/status`),
      (is) => is === 'online',
    );
    assert.equal(broker.retained.get(config), told);

    assert.equal((await gateway.call('DELETE', `/api/devices/${sn}`)).status, 200);
    await until(broker.topics, (topics) => topics.every((topic) => !topic.includes(sn)));
    assert.equal(online(), 'online');
  });

  test('a factory reset removes the devices', async (t) => {
    const { broker, home } = await openBroker(t);
    const gateway = await openGateway({ HOME_ASSISTANT_URL: broker.url });
    t.after(() => gateway.close());
    await gateway.call('POST', '/api/devices', hybrid());
    const config = `homeassistant/device/${gateway.serial}_${sn}/config`;
    await until(() => broker.retained.has(config), Boolean);
    assert.equal((await gateway.call('POST', '/api/system/factory-reset')).status, 200);
    await until(
      () => home.last(config),
      (text) => text === '',
    );
    await until(broker.topics, (topics) => topics.every((topic) => !topic.includes(sn)));
  });

  test('a broker that never answers delays neither the readings nor the stop', async (t) => {
    const server = createServer((socket) => void socket.on('error', () => {}));
    const port = await listenOnLoopback(server);
    t.after(() => server.close());
    const url = `mqtt://127.0.0.1:${port}`;
    const gateway = await openGateway({ HOME_ASSISTANT_URL: url, HARVEST_MS: '100' });
    await gateway.call('POST', '/api/devices', hybrid());
    const harvested = async (): Promise<number> =>
      (await gateway.call('GET', '/api/devices')).body.devices[0].last_harvest;
    let harvests = 0;
    for (let last = await harvested(); harvests < 5; harvests++) {
      const before = last;
      last = await until(harvested, (at) => at > before, 1500);
    }
    const stopwatch = startStopwatch();
    await gateway.close();
    assert.ok(stopwatch.ms() < 5000);
  });

  test('without its setting nothing is opened or stored', async (t) => {
    const gateway = await openGateway();
    t.after(() => gateway.close());
    assert.ok(gateway.lines.every((line) => !line.includes('home assistant')));
    assert.deepEqual(
      (await readdir(gateway.folder)).filter((name) => name.includes('home')),
      [],
    );
  });
});

test('a gateway that is killed is offline at once, and online when it is back', async (t) => {
  const { broker, home } = await openBroker(t);
  const folder = temporaryFolder(t);
  const env = { HOME_ASSISTANT_URL: broker.url };
  const first = await startGatewayProcess(folder, env);
  await first.call('POST', '/api/devices', hybrid());
  const status = `ohmstead/${first.serial}/status`;
  const config = `homeassistant/device/${first.serial}_${sn}/config`;
  await until(() => broker.retained.has(config), Boolean);
  assert.equal(home.last(status), 'online');
  await first.kill();
  await until(
    () => broker.retained.get(status),
    (text) => text === 'offline',
  );

  const before = broker.retained.get(config);
  const second = await startGatewayProcess(folder, env);
  await until(
    () => broker.retained.get(status),
    (text) => text === 'online',
  );
  await until(
    () => home.last(`ohmstead/${first.serial}/devices/${sn}/status`),
    (text) => text === 'online',
  );
  assert.equal(broker.retained.get(config), before);
  await second.kill();
});
