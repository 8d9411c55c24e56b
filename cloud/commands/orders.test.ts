import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test';
import type { Order } from '#contract/cloud/orders.ts';
import { formatTime, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { engines, expectStatus, openCloud, type TestCloud } from '#test/cloud/open-cloud.ts';
import { knownCalculator } from '#test/price/known-calculator.ts';
import { until } from '#test/until.ts';
import { createSitePrices } from '../alerts/prices.ts';
import { setPresence } from '../alerts/testing/alert-home.ts';
import { findCommand } from '../store/commands.ts';
import { createLive } from '../telemetry/live.ts';
import { createHolding, type HoldingDeps } from './holding.ts';
import { createCommandTracking } from './tracking.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const log = createLog({ level: 'silent', name: 'test' });
const calculator = knownCalculator({
  spot: (hour) => (hour >= 2 && hour < 5 ? 10 : 100),
  now: '2026-06-01T12:00:00Z',
  unknownFrom: '2026-06-03',
});

type Sent = { command_id: string; power_w: number; ttl_s: number; action?: string };

for (const { engine, skip } of engines) {
  describe(`orders on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let sent: Sent[] = [];
    const readings = new Map<number, Record<string, unknown>>();

    /** A process of the platform that renews orders when the test says so. */
    function openProcess(): {
      holding: ReturnType<typeof createHolding>;
      tracking: HoldingDeps['tracking'] & { acknowledged: ReturnType<typeof createCommandTracking>['acknowledged'] };
    } {
      const { store, clock, transport } = cloud;
      const tracking = createCommandTracking({ store, transport, live: createLive(), clock, log });
      const latest: HoldingDeps['latest'] = {
        get: async (ders) =>
          new Map(
            ders.flatMap((no) => {
              const values = readings.get(no);
              return values ? [[no, { at: clock.now(), received: 0, values }] as const] : [];
            }),
          ),
      };
      const pricesOf = createSitePrices(calculator).of;
      return { holding: createHolding({ store, latest, tracking, pricesOf, clock, log }), tracking };
    }

    before(async () => {
      cloud = await openCloud({ engine, calculator });
      mock.getter(cloud.transport, 'canPublish', () => true);
      mock.method(cloud.transport, 'publish', (_: string, payload: string) => sent.push(JSON.parse(payload)) > 0);
    });
    after(async () => {
      mock.restoreAll();
      await cloud.close();
    });
    beforeEach(() => {
      cloud.clock.set(now);
      sent = [];
      readings.clear();
    });
    afterEach(() => cloud.store.write(async ({ db }) => void (await db.deleteFrom('orders').execute())));

    async function home(place: object = { timezone: 'Europe/Stockholm', price_area: 'SE3' }) {
      const { owner, org, site, gateway, device } = await cloud.home({ place });
      await setPresence(cloud, 'gateways', true);
      const der: string = device.ders.find(({ name }: { name: string }) => name === 'battery').id;
      const process = openProcess();
      const order = (body: object, as = owner) =>
        cloud.call('POST', `/ders/${der}/orders`, { as, body: { power_w: 2000, ...body } });
      const { no } = await cloud.store.db
        .selectFrom('ders')
        .where('id', '=', der)
        .select('no')
        .executeTakeFirstOrThrow();
      const newest = async (): Promise<Order> =>
        (await cloud.call('GET', `/ders/${der}/orders`, { as: owner })).body[0];

      /** The gateway reports a status of the newest lease. */
      async function report(status: string, message?: string): Promise<void> {
        const id = sent.at(-1)!.command_id;
        await until(async () => (await findCommand(cloud.store.db, id))?.status !== 'queued');
        const ack = JSON.stringify({ command_id: id, status, message });
        await process.tracking.acknowledged(gateway.serial, Buffer.from(ack));
      }

      /** Lets time pass, in which a process renews what is due and the gateway applies it. */
      async function pass(minutes: number): Promise<void> {
        for (let minute = 0; minute < minutes; minute++) {
          cloud.clock.advance(minuteMs);
          const before = sent.length;
          await process.holding.pass();
          if (sent.length > before && sent.at(-1)!.action === undefined) await report('applied');
        }
      }
      return { owner, org, site, gateway, der, no, order, newest, report, pass, ...process };
    }

    test('is renewed before each lease ends, and the last lease ends with it', async () => {
      const { order, report, pass, newest, owner, site } = await home();
      const made: Order = await expectStatus(202, order({ for_s: 3000 }));
      assert.deepEqual([made.status, made.ends_at], ['held', formatTime(now + 3_000_000)]);
      await report('applied');
      await pass(49);
      assert.deepEqual(
        sent.map(({ power_w, ttl_s }) => [power_w, ttl_s]),
        [1200, 1200, 1200, 1200].map((ttl) => [2000, ttl]),
      );
      assert.deepEqual((await cloud.call('GET', `/sites/${site}/orders`, { as: owner })).body.length, 1);
      await pass(2);
      const { status, ended_by } = await newest();
      assert.deepEqual([status, ended_by, sent.length], ['ended', 'time', 4]);
      assert.deepEqual((await cloud.call('GET', `/sites/${site}/orders`, { as: owner })).body, []);
    });

    for (const { says, at, time, ends } of [
      { says: 'later today', at: '2026-06-01T12:00:00Z', time: '16:30', ends: '2026-06-01T14:30:00Z' },
      { says: 'tomorrow', at: '2026-06-01T12:00:00Z', time: '07:00', ends: '2026-06-02T05:00:00Z' },
      { says: 'after the night of 25 hours', at: '2026-10-24T05:00:00Z', time: '07:00', ends: '2026-10-25T06:00:00Z' },
      { says: 'after the night of 23 hours', at: '2026-03-28T21:00:00Z', time: '07:00', ends: '2026-03-29T05:00:00Z' },
      { says: 'at a time that is skipped', at: '2026-03-28T21:00:00Z', time: '02:30', ends: '2026-03-29T01:00:00Z' },
      { says: 'at a time shown twice', at: '2026-10-25T00:40:00Z', time: '02:30', ends: '2026-10-25T01:30:00Z' },
    ])
      test(`ends at a time of day: ${says}`, async () => {
        const { order, owner } = await home();
        cloud.clock.set(Date.parse(at));
        const token = await cloud.signIn(owner);
        const made: Order = await expectStatus(202, order({ until: time }, { ...owner, token }));
        assert.deepEqual([made.ends_at, made.kind], [formatTime(Date.parse(ends)), 'time_of_day']);
      });

    test('begins with the cheapest hours and leaves the device in automatic until then', async () => {
      const { order, holding, newest } = await home();
      const made: Order = await expectStatus(202, order({ cheapest_s: 10_800, before: '07:00' }));
      assert.deepEqual(
        [made.status, made.starts_at, made.ends_at],
        ['waiting', '2026-06-02T00:00:00.000Z', '2026-06-02T03:00:00.000Z'],
      );
      await holding.pass();
      assert.deepEqual(sent, []);
      cloud.clock.set(Date.parse(made.starts_at));
      await holding.pass();
      assert.deepEqual([sent.length, (await newest()).status], [1, 'held']);
    });

    test('is refused where prices are missing, or the time is too short', async () => {
      const { order } = await home();
      for (const [body, status, says] of [
        [{ cheapest_s: 86_400, before: '07:00' }, 422, /less than 24 h away/],
        [{ cheapest_s: 10_800, power_w: -2000 }, 422, /discharging/],
        [{ cheapest_s: 1000 }, 400, /multiple/],
      ] as const) {
        const { status: got, body: problem } = await order(body);
        assert.deepEqual([got, says.test(problem.detail)], [status, true], problem.detail);
      }
      cloud.clock.set(Date.parse('2026-06-02T20:00:00Z'));
      const unknown = await order({ cheapest_s: 10_800 }, (await home()).owner);
      assert.equal(unknown.status, 404);
      const late = await home();
      const missing = await late.order({ cheapest_s: 10_800 });
      assert.deepEqual([missing.status, /Prices are not known for 3 h/.test(missing.body.detail)], [409, true]);
      const nowhere = await (await home({})).order({ cheapest_s: 3600 });
      assert.deepEqual([nowhere.status, /neither a price area nor a position/.test(nowhere.body.detail)], [409, true]);
    });

    test('needs exactly one end, within a day', async () => {
      const { order } = await home();
      for (const [body, status] of [
        [{}, 422],
        [{ for_s: 3600, until: '07:00' }, 422],
        [{ for_s: 3600, before: '07:00' }, 422],
        [{ for_s: 59 }, 400],
        [{ for_s: 86_401 }, 400],
        [{ until: '24:00' }, 400],
        [{ until_soc_pct: 101 }, 400],
      ] as const)
        assert.equal((await order(body)).status, status, JSON.stringify(body));
      const nowhere = await (await home({})).order({ until: '07:00' });
      assert.deepEqual([nowhere.status, nowhere.body.errors[0].path], [422, 'body.until']);
    });
  });
}
