import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '#cloud/store/pool.ts';
import { startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { readEvents } from '../cloud/event-reader.ts';
import { openGateway } from '../gateway/open-gateway.ts';
import { freshDatabase, postgresMissing } from '../services/postgres.ts';
import { until } from '../until.ts';
import { type Chaos, type ChaosProxy, openChaosProxy } from './chaos-proxy.ts';
import { openReportingHome } from './reporting-home.ts';

const house = fixedHouse({ pv_W: -3100, battery_W: 900, load_W: 700 });

async function openWire(t: TestContext, port: number, chaos: Chaos = {}): Promise<ChaosProxy> {
  const wire = await openChaosProxy(port, chaos);
  t.after(() => wire.close());
  return wire;
}

/** A gateway with one device of the street behind a wire; `values` are what it tells, without what changes by itself. */
async function openDevice(t: TestContext, name: string) {
  const street = await startStreet({ portBase: 0, house, only: [name] });
  t.after(() => street.close());
  const { connection } = street.players[0]!;
  const text = JSON.stringify(connection);
  const port = Number(/:(\d+)"/.exec(text)?.[1] ?? /"port":(\d+)/.exec(text)?.[1]);
  const wire = await openWire(t, port);
  const gateway = await openGateway({ HARVEST_MS: '200' });
  t.after(() => gateway.close());
  const through = JSON.parse(text.replace(String(port), String(wire.port)));
  const { status, body } = await gateway.call('POST', '/api/devices', through);
  assert.equal(status, 201, JSON.stringify(body));
  const data = async () => (await gateway.call('GET', `/api/devices/${body.sn}/data/json`)).body;
  const settled = (readings: Record<string, Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(readings).map(([kind, { timestamp: _, read_time_ms: __, ...rest }]) => [kind, rest]),
    );
  return { wire, data, values: async () => settled(await data()) };
}

const timesOf = (readings: Record<string, { timestamp?: number }>): number =>
  Math.max(...Object.values(readings).map(({ timestamp }) => timestamp ?? 0));

suite('a bad wire', { concurrency: 4 }, () => {
  const cases: { name: string; says: string; chaos: Chaos }[] = [
    { name: 'sungrow', says: 'bytes that come one by one', chaos: { sliceBytes: 1 } },
    { name: 'sungrow', says: 'answers that are late', chaos: { latencyMs: 50, jitterMs: 100 } },
    { name: 'sungrow', says: 'connections that break in a frame', chaos: { cutAfterBytes: 1500 } },
    { name: 'p1-dsmr5', says: 'bytes that come one by one', chaos: { sliceBytes: 1 } },
    { name: 'p1-dsmr5', says: 'bits that turn', chaos: { flipOneIn: 1000 } },
  ];
  for (const { name, says, chaos } of cases) {
    test(`${says}: ${name} tells the right values or none`, async (t) => {
      const { wire, data, values } = await openDevice(t, name);
      const right = await until(values, (found) => Object.keys(found).length > 0);
      wire.set(chaos);
      const began = timesOf(await data());
      const end = performance.now() + 4000;
      while (performance.now() < end) {
        assert.deepEqual(await values(), right);
        await sleep(100);
      }
      wire.set({});
      await until(data, (readings) => timesOf(readings) > began + 4000, 15_000); // a lost device is tried every 10 s
    });
  }

  test('a database that goes silent is given up, and asked anew when it is back', {
    skip: postgresMissing(),
  }, async (t) => {
    const { url, drop } = await freshDatabase();
    t.after(drop);
    const wire = await openWire(t, Number(new URL(url).port));
    const lost: Error[] = [];
    const through = Object.assign(new URL(url), { port: String(wire.port) }).href;
    const pool = createPool(through, 2, (error) => lost.push(error), 500);
    t.after(() => pool.end());
    assert.equal((await pool.query('select 1 as one')).rows[0].one, 1);
    wire.set({ isHalfOpen: true });
    const began = performance.now();
    await assert.rejects(pool.query('select 2'), { code: 'ETIMEDOUT' });
    assert.ok(performance.now() - began < 20_000);
    wire.set({});
    assert.equal((await pool.query('select 3 as three')).rows[0].three, 3);
    assert.equal(wire.connections(), 2);
  });

  test('a viewer behind a wire of single bytes and long delays sees every reading, in order', async (t) => {
    const { cloud, ada, site, serial, gateway } = await openReportingHome(t);
    await cloud.provision(ada, site, serial);
    await cloud.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = cloud.app.server.address() as { port: number };
    const wire = await openWire(t, port, { sliceBytes: 1, jitterMs: 20 });
    const headers = { authorization: `Bearer ${ada.token}` };
    const viewer = await readEvents(`http://127.0.0.1:${wire.port}/stream/sites/${site}`, headers);
    const sent = Array.from({ length: 50 }, (_, index) => index + 1);
    for (const W of sent) await gateway.report('INV-1', 'pv', { timestamp: cloud.clock.now() - 1000 + W, W: -W });
    const seen = await viewer.readings(sent.length);
    await viewer.close();
    assert.deepEqual(
      seen.map(({ data }) => data.W),
      sent.map((W) => -W),
    );
  });
});
