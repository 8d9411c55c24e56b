import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createClient } from '#contract/client.ts';
import { getDer, getDevice } from '#contract/cloud/devices.ts';
import { getMe } from '#contract/cloud/identity.ts';
import { updatePlanGoals } from '#contract/cloud/plans.ts';
import { getSite, listSites } from '#contract/cloud/sites.ts';
import { getDerTelemetry } from '#contract/cloud/telemetry.ts';
import { getData, getDebugData } from '#contract/gateway/data.ts';
import { listDevices } from '#contract/gateway/devices.ts';
import { getLocalPlan } from '#contract/gateway/plan.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { getSystem } from '#contract/gateway/system.ts';
import {
  getSimulation,
  playFault,
  playHome,
  playWeather,
  resetSimulation,
  type Simulation,
  simulationRoutes,
  visitSimulation,
} from '#contract/simulation.ts';
import { hourMs } from '#contract/time.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { signInWith } from './owner.ts';
import { type SimulatedState, startUp } from './up-process.ts';

const houses = ['--houses', '6'];
const pastMs = 60_000; // usually a quarter of it
const lostMs = 25_000; // several attempts that time out, and ten seconds until the next

const owesPast = (data: string): boolean =>
  readFileSync(join(data, 'demo', 'home.json'), 'utf8').includes('past_until');

const near = (one: number, other: number, by: number): boolean => Math.abs(one - other) <= by;

/** The platform, the gateway, and the fields of the simulated home. */
async function look(state: SimulatedState) {
  const { api, token } = await signInWith(state);
  const gateway = createClient({ baseUrl: state.gateway_url });
  const ders = state.devices.flatMap((device) => device.ders);
  return {
    api,
    gateway,
    ders,
    token,
    truth: (): Promise<Simulation> => api.call(getSimulation),
    async watts(sn: string, kind: DerKind): Promise<number> {
      const snapshot = await gateway.call(getData, { params: { sn } });
      return Number(snapshot?.[kind]?.W);
    },
    async entry(sn: string) {
      const { devices } = await gateway.call(listDevices);
      return devices.find((device) => device.sn === sn)!;
    },
    history: (der_id: string, query: object) => api.call(getDerTelemetry, { params: { der_id }, query }),
  };
}

suite('the simulated street', { timeout: 240_000 }, () => {
  test('can be controlled, has history, and continues after a restart', async (t) => {
    const data = temporaryFolder(t);
    const broken = await startUp(t, data, houses);
    const first = await look(broken.state);
    const begun = { from: String(Date.now() - 48 * hourMs), to: String(Date.now() - hourMs), resolution: '1h' };
    await until(
      () => first.history(first.ders[0]!.id, begun),
      ({ points }) => points.length > 0, // its history is being written
    );
    const { code, err } = await broken.stop();
    assert.deepEqual([code, err], [0, '']);
    assert.ok(owesPast(data), 'it was stopped before all history was written');

    const started = Date.now();
    const { state, stop } = await startUp(t, data, houses);
    const { api, gateway, ders, truth, watts, entry, history } = await look(state);
    const { cloud_url } = state;
    await api.call(updatePlanGoals, { params: { site_id: state.site_id }, body: { mode: 'off' } }); // the test is in control
    await until(
      () => gateway.call(getLocalPlan),
      ({ progress }) => progress === undefined, // it may have followed the plan of the start before
    );
    const [hybrid, gridMeter, subMeter, charger, garage] = state.devices.map(({ sn }) => sn) as [
      string,
      string,
      string,
      string,
      string,
    ];

    await t.test('everybody may look, and sees that it is simulated', async () => {
      const told = await createClient({ baseUrl: cloud_url }).call(getSimulation);
      const { simulated, home, street, devices, weather } = told;
      assert.equal(simulated, true);
      assert.equal(home.grid_w, home.pv_w + home.load_w + home.battery.power_w + home.car.power_w);
      assert.equal(street.houses, 6);
      assert.deepEqual(
        devices.map(({ sn, fault }) => [sn, fault]),
        state.devices.map(({ sn }) => [sn, null]),
      );
      assert.deepEqual([weather.clouds_played, weather.sun_hour_played], [false, false]);
      assert.ok([told, ...devices].every((part) => /simulated/i.test(JSON.stringify(part))));
    });

    await t.test('a visitor on this machine is admitted as its owner, others are not', async () => {
      const visit = (headers: Record<string, string>): Promise<number> =>
        new Promise((resolve, reject) => {
          request(`${cloud_url}/simulation/visit`, { method: 'POST', headers }, (answer) => {
            answer.resume();
            resolve(answer.statusCode!);
          })
            .on('error', reject)
            .end();
        });
      const { token, identity_id } = await createClient({ baseUrl: cloud_url }).call(visitSimulation);
      const me = await createClient({ baseUrl: cloud_url, token }).call(getMe);
      assert.deepEqual([identity_id, me.identity_id], [state.identity_id, state.identity_id]);
      assert.equal(await visit({ host: 'elsewhere.example' }), 403); // a foreign name that resolves to this machine
      assert.equal(await visit({ 'x-forwarded-for': '192.0.2.1' }), 403);
    });

    await t.test('its API is documented', async () => {
      const document = (await (await fetch(`${cloud_url}/simulation/openapi.json`)).json()) as Record<string, object>;
      const { valid, errors } = await new Validator().validate(structuredClone(document));
      assert.ok(valid, JSON.stringify(errors));
      assert.deepEqual(
        Object.keys(document.paths!).sort(),
        [...new Set(simulationRoutes.map(({ path }) => path))].sort(),
      );
      for (const page of ['docs', 'redoc']) assert.equal((await fetch(`${cloud_url}/simulation/${page}`)).status, 200);
    });

    await t.test('names, makers and models say that they are simulated', async () => {
      for (const { device_id } of state.devices) {
        const { name, manufacturer, model } = await api.call(getDevice, { params: { device_id } });
        for (const text of [name, manufacturer, model]) assert.match(text!, /simulated/i);
      }
      const snapshot = await until(() => gateway.call(getData, { params: { sn: gridMeter } }), Boolean);
      assert.equal(snapshot!.meter!.make, 'Simulated');
      const { deviceName } = (await (await fetch(`${state.gateway_url}/api/crypto`)).json()) as { deviceName: string };
      assert.equal(deviceName, 'software_zap', 'the name that drivers look for');
      assert.match((await gateway.call(getSystem)).gateway_info.name, /simulated/i);
    });

    await t.test('only signed-in callers may change it, and only to valid values', async () => {
      const anyone = createClient({ baseUrl: cloud_url, token: 'guess' });
      await assert.rejects(anyone.call(playWeather, { body: { clouds: 1 } }), { code: 'unauthenticated' });
      await assert.rejects(anyone.call(resetSimulation), { code: 'unauthenticated' });
      const wrong = { code: 'invalid_request' };
      await assert.rejects(api.call(playWeather, { body: { clouds: 1.1 } }), wrong);
      await assert.rejects(api.call(playWeather, { body: { sun_hour: -1 } }), wrong);
      await assert.rejects(api.call(playHome, { body: { extra_load_w: 20_001 } }), wrong);
      await assert.rejects(api.call(playHome, { body: { extra_load: 1 } as object }), wrong);
      const fault = (sn: string, fault: 'bit-flip' | 'wrong-unit') =>
        api.call(playFault, { params: { sn }, body: { fault } });
      await assert.rejects(fault('SIMNOBODY', 'bit-flip'), { code: 'not_found' });
      await assert.rejects(fault(gridMeter, 'wrong-unit'), { code: 'unprocessable' });
      await assert.rejects(fault(hybrid, 'bit-flip'), { code: 'unprocessable' });
    });

    await t.test('sun and clouds appear in the readings of the home and in the street', async () => {
      const sites = await api.call(listSites, { query: { org_id: state.org_id } });
      const neighbour = sites.find(({ name }) => name.startsWith('Simulated house 01'))!;
      const { devices } = await api.call(getSite, { params: { site_id: neighbour.id } });
      const solar = devices.flatMap((device) => device.ders).find(({ type }) => type === 'solar')!;
      const neighbour_W = async () => Number((await api.call(getDer, { params: { der_id: solar.id } })).latest?.W);
      const panels_W = async () => (await watts(hybrid, 'pv')) + (await watts(garage, 'pv'));

      await api.call(playWeather, { body: { sun_hour: 0 } });
      assert.equal(await until(panels_W, (W) => W === 0), 0);
      assert.equal(await until(neighbour_W, (W) => W === 0), 0);

      const clear = await api.call(playWeather, { body: { sun_hour: 12, clouds: 0 } });
      assert.deepEqual(
        [clear.weather.sun_hour, clear.weather.sun_hour_played, clear.weather.clouds, clear.weather.clouds_played],
        [12, true, 0, true],
      );
      assert.ok(clear.home.pv_w < 0 && clear.street.pv_w < 0);
      await until(panels_W, (W) => near(W, clear.home.pv_w, 2));
      await until(neighbour_W, (W) => W < 0);

      const overcast = await api.call(playWeather, { body: { clouds: 1 } });
      assert.ok(near(overcast.home.pv_w, clear.home.pv_w * 0.2, 2), `${overcast.home.pv_w} of ${clear.home.pv_w} W`);
      await until(panels_W, (W) => near(W, overcast.home.pv_w, 2));
    });

    await t.test('a load and a car appear at the meters and the charger', async () => {
      const before_W = await watts(subMeter, 'meter');
      const { home } = await api.call(playHome, {
        body: { extra_load_w: 15_000, car: { connected: true, charge_w: 4321 } },
      });
      assert.ok(home.load_w > 15_000 && home.grid_w > 10_000, JSON.stringify(home));
      assert.deepEqual([home.extra_load_w, home.car.connected, home.car.connected_played], [15_000, true, true]);
      const onWireAndTrue = async () => [await watts(gridMeter, 'meter'), (await truth()).home.grid_w] as const;
      await until(onWireAndTrue, ([W, true_W]) => W > 10_000 && near(W, true_W, 100));
      await until(
        () => watts(subMeter, 'meter'),
        (W) => W > before_W + 3000,
      );
      await until(
        () => watts(charger, 'v2x_charger'),
        (W) => W === 4321,
        70_000, // one that was released keeps its last target for a minute
      );
      const away = await api.call(playHome, { body: { extra_load_w: 0, car: { connected: false } } });
      assert.deepEqual([away.home.car.connected, away.home.extra_load_w], [false, 0]);
      await until(
        () => watts(charger, 'v2x_charger'),
        (W) => W === 0,
      );
    });

    await t.test('the gateway sees faults like those of real devices, until they are cleared', async () => {
      for (const [sn, fault] of [
        [hybrid, 'silence'],
        [garage, 'garbage'],
        [subMeter, 'exception'],
        [gridMeter, 'bit-flip'],
      ] as const) {
        const { devices } = await api.call(playFault, { params: { sn }, body: { fault } });
        assert.equal(devices.find((device) => device.sn === sn)!.fault, fault);
      }
      for (const sn of [hybrid, garage, subMeter]) {
        const { error } = await until(
          () => entry(sn),
          ({ connected }) => !connected,
          lostMs,
        );
        assert.match(error!, /\w+ .*[.?]$/);
      }
      const failed = await until(
        () => gateway.call(getDebugData, { params: { sn: gridMeter } }),
        ({ last_failed_ts }) => last_failed_ts !== undefined,
      );
      assert.match(failed.last_failed_ascii!, /SIM382/);

      const mended = await api.call(playFault, { params: { sn: hybrid }, body: { fault: null } });
      assert.equal(mended.devices.find(({ sn }) => sn === hybrid)!.fault, null);
      await until(
        () => entry(hybrid),
        ({ connected }) => connected,
        lostMs,
      );
      assert.equal((await entry(subMeter)).connected, false);
    });

    await t.test('a reset clears everything and returns to automatic', async () => {
      const { weather, home, devices } = await api.call(resetSimulation);
      assert.deepEqual(
        [
          weather.sun_hour_played,
          weather.clouds_played,
          home.extra_load_w,
          home.car.connected_played,
          home.car.charge_w,
        ],
        [false, false, 0, false, null],
      );
      assert.ok(devices.every(({ fault }) => fault === null));
      for (const { sn } of state.devices) {
        await until(
          () => entry(sn),
          ({ connected, last_harvest }) => connected && Date.now() - last_harvest! < 3000,
          lostMs,
        );
      }
    });

    await t.test('the home has two days of history, once, beside its live data', async () => {
      await until(
        () => owesPast(data),
        (owes) => !owes,
        pastMs,
      );
      const from = started - 47 * hourMs;
      const anHour = { from: String(started - 30 * hourMs), to: String(started - 29 * hourMs), resolution: 'raw' };
      for (const { id } of ders) {
        const hourly = await history(id, { from: String(from), resolution: '1h' });
        assert.ok(hourly.points.length >= 47, `${hourly.points.length} hours`);
        const { points } = await history(id, anHour);
        assert.equal(points.length, 60);
        assert.equal(new Set(points.map(({ timestamp }) => timestamp)).size, 60);
        const { latest } = await api.call(getDer, { params: { der_id: id } });
        assert.ok(Number(latest!.timestamp) > started, 'live data is newer than history');
      }
      const join = await history(state.devices[1]!.ders[0]!.id, {
        from: String(started - 600_000),
        resolution: 'raw',
        fields: 'total_import_Wh',
      });
      const counts = join.points.map(({ total_import_Wh }) => total_import_Wh!);
      assert.ok(counts.length > 10);
      assert.deepEqual(
        counts.filter((count, index) => index > 0 && count < counts[index - 1]!),
        [],
      );
    });

    await t.test('the charge of the battery and the car continues after a restart', async () => {
      await api.call(playHome, { body: { car: { connected: true, charge_w: 11_000 } } });
      await sleep(1000);
      const { home: before } = await truth();
      assert.equal((await stop()).code, 0);
      const again = await startUp(t, data, houses);
      const { home: after } = await (await look(again.state)).truth();
      assert.ok(near(after.battery.soc_fract, before.battery.soc_fract, 0.003), JSON.stringify([before, after]));
      assert.ok(near(after.car.soc_fract, before.car.soc_fract, 0.003), JSON.stringify([before, after]));
      assert.equal(owesPast(data), false);
      assert.equal((await again.stop()).code, 0);
    });
  });
});
