import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { suite, test } from 'node:test';
import { connect, makeKey } from '#contract/client/index.ts';
import { createClient } from '#contract/client.ts';
import { getDer, updateDevice } from '#contract/cloud/devices.ts';
import { listGateways, releaseGateway } from '#contract/cloud/gateways.ts';
import { createOrganization } from '#contract/cloud/organizations.ts';
import { getCellStats, listCells } from '#contract/cloud/public.ts';
import { createSite, getSite, listSites, updateSite } from '#contract/cloud/sites.ts';
import { getTotalPrice } from '#contract/price/total.ts';
import { arePagesOld, buildPages } from '../../cli/server/build-pages.ts';
import { runCli } from '../../cli/testing/child-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { heardSince, signInWith } from './owner.ts';
import { anyPorts, processesOn, startUp } from './up-process.ts';

const mostReadyMs = 10_000;
const mostStoppingMs = 5000;
const derCount = 6; // of the five devices: the hybrid inverter has two
const withinMs = 10_000;

suite('ohmstead up', { timeout: 120_000 }, () => {
  test('everything works within ten seconds, and continues after a restart', async (t) => {
    await buildPages(console, arePagesOld); // which is not part of the ten seconds
    const data = temporaryFolder(t);
    const began = Date.now();
    const first = await startUp(t, data);
    const { state } = first;

    await t.test('it is ready, and prints all addresses', () => {
      assert.ok(first.readyMs < mostReadyMs, `ready after ${first.readyMs} ms`);
      assert.equal(first.said.split('\n').at(-1), `ready ${state.cloud_url}`);
      for (const place of [state.gateway_url, state.mqtt_url, state.private_key_file]) {
        assert.ok(first.said.includes(place), `${place} is printed`);
      }
      assert.equal(first.said.match(/^ {2}curl /gm)?.length, 3);
      assert.equal(statSync(state.private_key_file).mode & 0o777, 0o600);
      assert.deepEqual(
        state.devices.map(({ profile, ders }) => [profile, ...ders.map(({ type }) => type)]),
        [
          ['sungrow', 'solar', 'battery'],
          ['p1_meter', 'meter'],
          ['sdm630', 'load'],
          ['ambibox', 'ev_charger_port'],
          ['sungrow', 'solar'],
        ],
      );
    });

    const { api, token, identityId } = await signInWith(state);

    await t.test('the stream of the home has all five devices', async () => {
      assert.equal(identityId, state.identity_id);
      const heard = await heardSince(state, token, { since: began, count: derCount, withinMs });
      assert.deepEqual(
        new Set([...heard.values()].map(({ device_id }) => device_id)),
        new Set(state.devices.map(({ device_id }) => device_id)),
      );
    });

    await t.test('the devices become active, and their names say that they are simulated', async () => {
      const devices = async () => (await api.call(getSite, { params: { site_id: state.site_id } })).devices;
      const active = await until(devices, (all) => all.every(({ state }) => state === 'active'));
      assert.deepEqual(
        active.map(({ name }) => name.startsWith('Simulated ')),
        [true, true, true, true, true],
      );
    });

    await t.test('the street is on the map, in several cells, and sends readings', async () => {
      const anyone = createClient({ baseUrl: state.cloud_url });
      const { cells } = await anyone.call(listCells);
      assert.ok(cells.length >= 5, `${cells.length} cells`);
      assert.equal(
        cells.reduce((sum, { site_count }) => sum + site_count, 0),
        21,
      );
      const gateways = () => api.call(listGateways, { query: { org_id: state.org_id } });
      const online = await until(gateways, (all) => all.every(({ online }) => online), withinMs);
      assert.equal(online.length, 21);
      const heard = async () => {
        const stats = await Promise.all(
          cells.map(({ h3_index }) => anyone.call(getCellStats, { params: { h3_index } })),
        );
        return stats.filter(({ total_power_w }) => total_power_w !== 0).length;
      };
      assert.equal(await until(heard, (count) => count === cells.length, withinMs), cells.length);
      assert.equal((await api.call(listSites, { query: { org_id: state.org_id } })).length, 21);
    });

    await t.test('prices say that they are simulated', async () => {
      const price = await createClient({ baseUrl: state.price_url }).call(getTotalPrice, { query: { area: 'SE3' } });
      assert.match(JSON.stringify(price), /Simulated market/);
    });

    await t.test('a second start on the same folder is refused with a sentence', async () => {
      const { code, err } = await runCli(['up', '--data', data], anyPorts);
      assert.deepEqual([code, err], [1, `The folder ${data} is in use by another process.\n`]);
    });

    const [hybrid, gridMeter] = state.devices;
    await api.call(updateSite, { params: { site_id: state.site_id }, body: { name: 'My home' } });
    await api.call(updateDevice, { params: { device_id: hybrid!.device_id }, body: { name: 'My inverter' } });
    const counted = async (client: typeof api) => {
      const { latest } = await client.call(getDer, { params: { der_id: gridMeter!.ders[0]!.id } });
      return Number(latest!.total_import_Wh) + Number(latest!.total_export_Wh);
    };
    const before_Wh = await counted(api);

    await t.test('it stops in time, and leaves no process behind', async () => {
      const { code, err, tookMs } = await first.stop();
      assert.deepEqual([code, err], [0, '']);
      assert.ok(tookMs < mostStoppingMs, `ended after ${tookMs} ms`);
      assert.deepEqual(processesOn(data), []);
    });

    await t.test('the next start continues with the same ids, names and counters', async () => {
      const restarted = Date.now();
      const second = await startUp(t, data);
      const again = second.state;
      const lasting = ({ identity_id, org_id, site_id, gateway_serial, devices }: typeof state) => ({
        identity_id,
        org_id,
        site_id,
        gateway_serial,
        devices,
      });
      assert.deepEqual(lasting(again), lasting(state));
      const owner = await signInWith(again);
      await heardSince(again, owner.token, { since: restarted, count: derCount, withinMs });
      const site = await owner.api.call(getSite, { params: { site_id: again.site_id } });
      assert.equal(site.name, 'My home');
      assert.equal(site.devices.find(({ id }) => id === hybrid!.device_id)!.name, 'My inverter');
      const after_Wh = await counted(owner.api);
      assert.ok(after_Wh >= before_Wh && after_Wh < before_Wh + 1000, `${before_Wh} Wh, then ${after_Wh} Wh`);

      await owner.api.call(releaseGateway, { params: { serial: again.gateway_serial } });
      const { code, err } = await second.stop();
      assert.equal(code, 0, err);
    });

    const holder = createServer().on('error', () => {}); // taken by another process is fine too
    holder.listen(8080, '127.0.0.1');
    t.after(() => holder.close());
    const third = await startUp(t, data, ['--without-history'], { GATEWAY_PORT: '0', MQTT_PORT: '0' });

    await t.test('a default port that is taken is replaced by the next free one, which is printed', () => {
      const { port } = new URL(third.state.cloud_url);
      assert.notEqual(port, '8080');
      const sentence = `^Port 8080 is taken, using ${port}\\. Set CLOUD_PORT to choose another\\.$`;
      assert.match(third.said, new RegExp(sentence, 'm'));
    });

    await t.test('a gateway that was released is not claimed again', async () => {
      const owner = await signInWith(third.state);
      const gateways = await owner.api.call(listGateways, { query: { org_id: state.org_id } });
      assert.ok(!gateways.some(({ gateway_serial }) => gateway_serial === state.gateway_serial));
      assert.deepEqual(third.state.devices, state.devices);
    });
  });

  test('without simulation only a platform and a gateway start, and a single home stays off the public map', async (t) => {
    const { state, stop } = await startUp(t, temporaryFolder(t), ['--without-simulation'], {
      ...anyPorts,
      GATEWAY_HOST: '127.0.0.1',
      MDNS: 'false',
      LOG_LEVEL: 'warn',
    });
    assert.deepEqual(Object.keys(state), ['cloud_url', 'gateway_url', 'price_url', 'mqtt_url', 'gateway_serial']);
    for (const url of [state.cloud_url, state.gateway_url]) assert.equal((await fetch(`${url}/health`)).status, 200);
    assert.equal((await fetch(`${state.cloud_url}/simulation`)).status, 404);

    const api = await connect(state.cloud_url, { key: (await makeKey()).key });
    const { id: org_id } = await api.call(createOrganization, { body: { name: 'Home' } });
    await api.call(createSite, { body: { org_id, name: 'Home', latitude: 57.7, longitude: 11.97 } });
    assert.deepEqual((await api.call(listCells)).cells, []);
    assert.equal((await stop()).code, 0);
  });
});
