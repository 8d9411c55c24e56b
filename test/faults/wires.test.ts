import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '#cloud/store/pool.ts';
import { readingAt } from '#gateway/uplink/outbox/testing/trial.ts';
import { openTrialUplink, startBroker } from '#gateway/uplink/testing/trial.ts';
import { startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { readEvents } from '../cloud/event-reader.ts';
import { openGateway } from '../gateway/open-gateway.ts';
import { freshDatabase, postgresMissing } from '../services/postgres.ts';
import { startStopwatch } from '../stopwatch.ts';
import { until } from '../until.ts';
import { type Chaos, type ChaosProxy, openChaosProxy } from './chaos-proxy.ts';
import { openReportingHome } from './reporting-home.ts';

const trialTime = Date.parse('2026-06-01T12:00:00Z');
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
  // On a machine that is busy with others, what answers in time may seem not to.
  const add = () => gateway.call('POST', '/api/devices', through);
  const { body } = await until(add, ({ status }) => status === 201);
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
  const cases: { name: string; title: string; chaos: Chaos }[] = [
    { name: 'sungrow', title: 'bytes that come one by one', chaos: { sliceBytes: 1 } },
    { name: 'sungrow', title: 'answers that are late', chaos: { latencyMs: 50, jitterMs: 100 } },
    { name: 'sungrow', title: 'connections that break in a frame', chaos: { cutAfterBytes: 1500 } },
    { name: 'p1-dsmr5', title: 'bytes that come one by one', chaos: { sliceBytes: 1 } },
    { name: 'p1-dsmr5', title: 'bits that turn', chaos: { flipOneIn: 1000 } },
  ];
  for (const { name, title, chaos } of cases) {
    test(`${title}: ${name} tells the right values or none`, async (t) => {
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

  test('a broker that goes silent is given up, and a new connection sends what was taken meanwhile', async (t) => {
    const broker = await startBroker();
    t.after(() => broker.close());
    const wire = await openWire(t, broker.port);
    const { uplink } = await openTrialUplink(t, { limits: { keepaliveS: 1 } });
    let taken = 0;
    const take = (count: number): void => {
      for (const end = taken + count; taken < end; taken++) uplink.take('INV-1', 'pv', readingAt(trialTime + taken));
    };
    uplink.setBrokers(`mqtt://127.0.0.1:${wire.port}`);
    uplink.start();
    take(50);
    await until(() => uplink.isConnected() && uplink.status().waiting === 0);
    wire.set({ isHalfOpen: true });
    const sending = setInterval(take, 50, 5); // who sends is not heard either
    t.after(() => clearInterval(sending));
    const stopwatch = startStopwatch();
    await until(() => !uplink.isConnected());
    const noticedMs = stopwatch.ms();
    assert.ok(noticedMs < 2500, `noticed after ${noticedMs} ms, with a question every second`);
    clearInterval(sending);
    wire.set({});
    await until(() => uplink.isConnected() && uplink.status().waiting === 0);
    assert.equal(new Set(broker.samples()).size, taken);
    assert.ok(wire.connections() > 1);
    await uplink.close();
  });

  test('a broker that goes silent is given up within 45 s, as the product is made', async (t) => {
    const broker = await startBroker();
    t.after(() => broker.close());
    const { uplink } = await openTrialUplink(t);
    uplink.setBrokers(broker.url);
    uplink.start();
    const [login] = await until(
      () => broker.logins,
      ({ length }) => length > 0,
    );
    await uplink.close();
    assert.ok(login!.keepalive! > 0 && login!.keepalive! * 1.5 <= 45, `it asks every ${login!.keepalive} s`);
  });

  test('queries to a silent database time out, and succeed again when it is back', {
    skip: postgresMissing(),
  }, async (t) => {
    const { url, drop } = await freshDatabase();
    t.after(drop);
    const wire = await openWire(t, Number(new URL(url).port));
    const lost: Error[] = [];
    const through = Object.assign(new URL(url), { port: String(wire.port) }).href;
    const pool = createPool(through, 2, (error) => lost.push(error), 3000);
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
