import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test';
import type { Order } from '#contract/cloud/orders.ts';
import { overriddenLocally, releaseRequested } from '#contract/command.ts';
import { dayMs, formatTime, hourMs, minuteMs } from '#contract/time.ts';
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
    function openProcess() {
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

    test('ends at a time of day of the site', async () => {
      const { order } = await home();
      const made: Order = await expectStatus(202, order({ until: '07:00' }));
      assert.deepEqual([made.ends_at, made.kind], ['2026-06-02T05:00:00.000Z', 'time_of_day']);
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

    test('ends at once by a release, a command or another order, with the name of the person who gave it', async () => {
      const { order, newest, owner, org, der, report, pass } = await home();
      const post = (path: string, body?: object) => cloud.call('POST', `/ders/${der}/${path}`, { as: owner, body });
      await expectStatus(202, order({ for_s: 7200 }));
      const released = await expectStatus(202, post('release'));
      assert.deepEqual([released.order.ended_by, sent.at(-1)!.action], ['person', 'release']);
      await expectStatus(202, order({ for_s: 7200, power_w: 1000 }));
      await expectStatus(202, post('commands', { power_w: 500, ttl_s: 60 }));
      assert.deepEqual([(await newest()).ended_by, sent.at(-1)!.power_w], ['replaced', 500]);
      const first = await expectStatus(202, order({ for_s: 7200 }));
      await expectStatus(202, order({ for_s: 10_800, power_w: -1500 }));
      assert.deepEqual([first.der_id, sent.at(-1)!.power_w], [der, -1500]);
      const { body: all } = await cloud.call('GET', `/ders/${der}/orders`, { as: owner });
      assert.deepEqual(
        all.map(({ status, ended_by }: Order) => ended_by ?? status),
        ['held', 'replaced', 'replaced', 'person'],
      );
      await report('applied');
      const before = sent.length;
      await pass(1);
      assert.equal(sent.length, before, 'what ended is not renewed');
      const { body: audit } = await cloud.call('GET', `/organizations/${org}/audit`, { as: owner });
      const actions = audit.map(({ action }: { action: string }) => action);
      assert.deepEqual(
        [actions.filter((action: string) => action === 'order.created').length, actions.includes('der.released')],
        [4, true],
      );
    });

    test('an order that waits returns the device to automatic, and is cancelled by a release', async () => {
      const { order, owner, der, report, holding } = await home();
      await expectStatus(202, order({ for_s: 7200 }));
      await report('applied');
      await expectStatus(202, order({ cheapest_s: 3600 }));
      assert.equal(sent.at(-1)!.action, 'release');
      await expectStatus(202, cloud.call('POST', `/ders/${der}/release`, { as: owner }));
      const before = sent.length;
      cloud.clock.advance(dayMs);
      await holding.pass();
      assert.equal(sent.length, before);
    });

    test('continues after the gateway was away for a while', async () => {
      const { order, report, pass, newest } = await home();
      await expectStatus(202, order({ for_s: 14_400 }));
      await report('applied');
      await setPresence(cloud, 'gateways', false);
      await pass(60);
      assert.deepEqual([sent.length, (await newest()).message], [1, 'The gateway is not connected.']);
      await setPresence(cloud, 'gateways', true);
      await pass(1);
      const { status, message } = await newest();
      assert.deepEqual([sent.length, status, message], [2, 'held', undefined]);
    });

    test('is sent again when the gateway did not answer, or had to release the device', async () => {
      const { order, report, holding, newest } = await home();
      await expectStatus(202, order({ for_s: 14_400 }));
      cloud.clock.advance(31_000);
      await holding.pass();
      assert.equal(sent.length, 2);
      await report('applied');
      await report('released', 'The gateway stops.');
      cloud.clock.advance(31_000);
      await holding.pass();
      assert.deepEqual([sent.length, (await newest()).status], [3, 'held']);
    });

    const overriddenIn010 = 'A local command overrides it.';
    const returned = 'The device was returned to automatic at the gateway.';
    for (const [says, reports, ended, reason] of [
      ['the first command is refused', [['failed', 'Too hot.']], 'failed', 'Too hot.'],
      ['a local command takes over', [['applied'], ['failed', overriddenLocally]], 'failed', overriddenLocally],
      [
        'a local command takes over at a gateway of 0.1.0',
        [['applied'], ['failed', overriddenIn010]],
        'failed',
        overriddenIn010,
      ],
      [
        'somebody releases the device at the gateway',
        [['applied'], ['released', releaseRequested]],
        'person',
        returned,
      ],
      [
        'somebody releases the device at a gateway of 0.1.0',
        [['applied'], ['released', 'It was asked for.']],
        'person',
        returned,
      ],
    ] as const)
      test(`ends when ${says}, and says so`, async () => {
        const { order, report, newest } = await home();
        await expectStatus(202, order({ for_s: 7200 }));
        for (const [status, message] of reports) await report(status, message);
        const { status, ended_by, message } = await newest();
        assert.deepEqual([status, ended_by, message], ['ended', ended, reason]);
      });

    test('survives two failures after a success, and ends with the third in a row', async () => {
      const { order, report, holding, newest } = await home();
      await expectStatus(202, order({ for_s: 14_400 }));
      await report('applied');
      for (const expected of ['held', 'held', 'ended']) {
        cloud.clock.advance(10 * minuteMs);
        await holding.pass();
        await report('failed', 'The device does not answer.');
        assert.equal((await newest()).status, expected);
      }
    });

    test('ends at its state of charge, and is refused where that is reached or unknown', async () => {
      const { order, report, pass, holding, newest, no, der, owner } = await home();
      const full = { until_soc_pct: 100 };
      assert.match((await (await home()).order(full)).body.errors[0].message, /no state of charge/);
      await cloud.telemetry.append([{ der: no, at: now, received: now * 1000, body: '{"SoC_nom_fract":0.5}' }]);
      assert.match((await order({ power_w: -500, until_soc_pct: 60 })).body.errors[0].message, /50 % already/);
      const made = await expectStatus(202, order(full));
      assert.deepEqual([made.kind, made.ends_at], ['state_of_charge', formatTime(now + dayMs)]);
      await report('applied');
      readings.set(no, { SoC_nom_fract: 0.98 });
      await pass(2);
      assert.equal((await newest()).status, 'held');
      readings.set(no, { SoC_nom_fract: 0.996 });
      cloud.clock.advance(minuteMs);
      await holding.pass();
      const { ended_by } = await newest();
      assert.deepEqual([ended_by, sent.at(-1)!.action], ['target', 'release']);
      const { body } = await cloud.call('POST', `/ders/${der}/commands`, { as: owner, body: { power_w: 0 } });
      assert.equal(body.power_w, 0);
    });

    test('more than the device supports is refused by name, in orders and commands', async () => {
      const { order, no, der, owner } = await home();
      await cloud.telemetry.append([{ der: no, at: now, received: now * 1000, body: '{"rated_power_W":5000}' }]);
      const command = await cloud.call('POST', `/ders/${der}/commands`, { as: owner, body: { power_w: -5001 } });
      for (const { status, body } of [await order({ for_s: 7200, power_w: 6000 }), command]) {
        assert.deepEqual([status, body.errors[0].path], [422, 'body.power_w']);
        assert.match(body.errors[0].message, /at most 5000 W, which the device supports/);
      }
      assert.equal((await order({ for_s: 7200, power_w: 5000 })).status, 202);
    });

    test('ends at the next renewal when its author has lost the right to control the device', async () => {
      const { owner, org, order, report, pass, newest } = await home();
      const guest = await cloud.member(owner, org, 'operator');
      await expectStatus(202, order({ for_s: 7200 }, guest));
      await report('applied');
      await expectStatus(204, cloud.call('DELETE', `/organizations/${org}/members/${guest.id}`, { as: owner }));
      await pass(10);
      const { ended_by } = await newest();
      assert.deepEqual([ended_by, sent.at(-1)!.action], ['no_access', 'release']);
    });

    test('is renewed by exactly one of several processes, and by the next one after a restart', async () => {
      const { order, report, holding, newest } = await home();
      await expectStatus(202, order({ for_s: 7200 }));
      await report('applied');
      const others = [openProcess(), openProcess(), openProcess()];
      for (let renewals = 1; renewals <= 3; renewals++) {
        cloud.clock.advance(10 * minuteMs);
        await Promise.all([holding, ...others.map((other) => other.holding)].map((each) => each.pass()));
        assert.equal(sent.length, renewals + 1);
        await report('applied');
      }
      cloud.clock.advance(10 * minuteMs);
      await openProcess().holding.pass(); // knows only what is stored
      assert.deepEqual([sent.length, (await newest()).status], [5, 'held']);
    });

    test('is gone with its device, and the device is released', async () => {
      const { order, owner, site, report, holding } = await home();
      await expectStatus(202, order({ for_s: 7200 }));
      await report('applied');
      await expectStatus(204, cloud.call('DELETE', `/sites/${site}?cascade=true`, { as: owner }));
      assert.equal(sent.at(-1)!.action, 'release');
      const before = sent.length;
      cloud.clock.advance(hourMs);
      await holding.pass();
      assert.deepEqual(await cloud.store.db.selectFrom('orders').select('id').execute(), []);
      assert.equal(sent.length, before);
    });

    test('is limited in number at a site', async () => {
      const { order, owner, site, gateway } = await home();
      const ders = Array.from({ length: 100 }, (_, n) => ({ name: `b${n}`, type: 'battery' }));
      for (let part = 0; part < 4; part++) {
        const some = { hardware_id: `MANY-${part}`, ders: ders.slice(part * 25, part * 25 + 25) };
        await cloud.provision(owner, site, gateway.serial, some);
      }
      await cloud.store.write(async ({ db }) => {
        const rows = await db
          .selectFrom('ders')
          .where('name', 'like', 'b_%')
          .where('name', '!=', 'battery')
          .selectAll()
          .execute();
        const row = {
          power_w: 1,
          kind: 'duration',
          target_soc_pct: null,
          starts_at: now,
          ends_at: now + dayMs,
          due_at: now + dayMs,
          command_id: null,
          failures: 0,
          applied_at: null,
          created_at: now,
          created_by: owner.id,
          created_by_name: null,
          client_id: null,
          ended_at: null,
          ended_by: null,
          message: null,
        } as const;
        for (const { id } of rows)
          await db
            .insertInto('orders')
            .values({ ...row, id: `ord-${id}`, der_id: id })
            .execute();
      });
      const { status, body } = await order({ for_s: 7200 });
      assert.deepEqual([status, body.error], [409, 'quota_exceeded']);
    });
  });
}
