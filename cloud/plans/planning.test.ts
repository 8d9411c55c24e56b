import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quarterMs } from '#contract/cloud/energy.ts';
import type { PlanGoals } from '#contract/cloud/plans.ts';
import type { SignedPlan } from '#contract/gateway-plan.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { wallAt } from '#contract/time-zone.ts';
import { planTopic } from '#contract/topics.ts';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { p256 } from '#test/cloud/people.ts';
import { threePeaks } from '#test/price/known-calculator.ts';
import { until } from '#test/until.ts';
import { deletePlanGateway, savePlanGateway } from '../store/plans.ts';
import { readGoals } from './goals.ts';
import { readKnowledge } from './make-plan.ts';
import { siteProblem } from './site-problem.ts';
import { openPlannedHome, quartersOf, timeZone } from './testing/planned-home.ts';

const carGoals = (der_id: string): Pick<PlanGoals, 'cars'> => ({
  cars: [{ der_id, target_pct: 80, by: '07:00', days: [1, 2, 3, 4, 5] }],
});

onEachEngine('planning a site', async (cloud) => {
  const { store, clock } = cloud;
  const home = await openPlannedHome(cloud);
  const { ada, org, site, gateway, battery, reads, sent, gateways, house, known, deps, planning } = home;
  const { set, read, pass } = home;

  test('waits a minute for the first values of a battery', async () => {
    await set({ mode: 'show' });
    await planning.planDue();
    const { status, message } = await read();
    assert.equal(status, 'waiting');
    assert.match(message!, /^Waiting for the first values of .+\.$/);
    for (let n = 0; n < 12; n++) await pass(5000);
    assert.match((await read()).message!, /has sent no values for five minutes, so its battery is not planned/);
  });

  test('says what has to be entered first', async () => {
    reads({ SoC_nom_fract: 0.5 });
    await set({ mode: 'show' });
    await planning.planDue();
    const { status, message, plan } = await read();
    assert.deepEqual([status, plan], ['waiting', null]);
    assert.match(message!, /does not report the capacity/);
  });

  test('promises no saving before the house was measured for a day, and plans again after minutes', async () => {
    await set({ storages: [{ der_id: battery, capacity_wh: 10_000, charge_w: 5000, discharge_w: 5000 }] });
    await planning.planDue();
    const { status, plan } = await read();
    assert.deepEqual([status, plan?.saves, plan?.self_consumption_cost], ['current', null, null]);
    assert.match(plan!.sentence, /when the house has been measured for a day/);
    assert.deepEqual(plan!.says?.sentence, [{ key: 'unmeasured' }]);
    house.measuredHours = Number.POSITIVE_INFINITY;
    await pass(6 * minuteMs);
    assert.notEqual((await read()).plan!.saves, null);
  });

  test('charges at night for the dear and high evening, and explains it', async () => {
    const { status, plan } = await read();
    assert.equal(status, 'current');
    assert.ok(plan);
    const hourOf = (start: string) => new Date(wallAt(timeZone, Date.parse(start))).getUTCHours();
    const near = plan.steps.slice(0, 192);
    const chargedAt = near.filter(({ storages }) => storages[battery]!.charge_w > 0).map(({ start }) => hourOf(start));
    const evening = near.filter(({ start }) => hourOf(start) >= 17 && hourOf(start) < 20);
    assert.ok(
      chargedAt.some((hour) => hour < 6),
      String(chargedAt),
    );
    const discharged = evening.reduce((sum, { storages }) => sum + storages[battery]!.discharge_w / 4, 0);
    assert.ok(discharged > 12_000, `${discharged} Wh in two evenings`);
    assert.ok(plan.saves! > 5, String(plan.saves));
    assert.deepEqual([plan.planned_peak_kw, plan.peaks.map(({ kw }) => kw)], [3, [3, 3, 3]]); // of the evenings before
    assert.ok(near.every(({ reason }) => reason.text.length > 0));
    assert.ok(near.every(({ reason }) => reason.says));
    assert.equal(plan.says?.sentence[0]?.key, 'plan_saves');
    assert.equal(plan.says?.assumed.length, plan.assumed.length);
    assert.equal(Date.parse(plan.steps.at(-1)!.end), Date.parse('2026-06-30T22:00:00Z'));
    assert.ok(
      plan.assumed.includes('Load and sun are forecast with weather of 59.3, 18.1 (CC BY 4.0).'),
      plan.assumed.join(' '),
    );
    assert.equal(sent.length, 0); // only shown
  });

  test('learns from the readings of a charger when the car is connected', async () => {
    const { ders } = await cloud.provision(ada, site, gateway.serial, {
      hardware_id: 'CAR',
      device_type: 'ev_charger',
      ders: [{ name: 'car', type: 'ev_charger_port' }],
    });
    const [{ id }] = ders;
    const { no } = await store.db.selectFrom('ders').select('no').where('id', '=', id).executeTakeFirstOrThrow();
    const samples = Array.from({ length: 2 * 96 }, (_, n) => {
      const at = clock.now() - (n + 1) * quarterMs;
      const hour = new Date(wallAt(timeZone, at)).getUTCHours();
      const car = hour < 8 || hour >= 20 ? { vehicle_soc_fract: 0.5 } : {};
      return { der: no, at, received: at * 1000, body: JSON.stringify({ W: 0, ...car }) };
    });
    await cloud.telemetry.append(samples.reverse());
    await set({});
    await planning.planDue();
    assert.match(
      (await read()).plan!.not_planned!.join(),
      /is not planned and charges by itself, because it has no departure/,
    );
    const known = await readKnowledge(deps, { ...(await readGoals(store.db, site)), ...carGoals(id) }, clock.now());
    const { startMs, values } = known.connected![id]!;
    const at = (date: string): number => values[(Date.parse(date) - startMs) / quarterMs]!;
    assert.deepEqual(
      ['2026-06-23T17:45Z', '2026-06-23T18:00Z', '2026-06-24T05:45Z', '2026-06-24T06:00Z', '2026-06-20T00:00Z'].map(at),
      [0, 1, 1, 0, Number.NaN], // 19:45, 20:00, 07:45 and 08:00 local time, and before there were readings
    );
    assert.equal((await cloud.call('DELETE', `/ders/${id}`, { as: ada })).status, 204);
  });

  test('knows the peaks of the whole month so far', async () => {
    const found = siteProblem(await readKnowledge(deps, await readGoals(store.db, site), clock.now()));
    const [fee] = found.problem.peak_fees!;
    assert.deepEqual(
      fee!.peaks_so_far!.map(({ day }) => day).slice(0, 3),
      ['2026-06-01', '2026-06-02', '2026-06-03'], // the first of days that are alike
    );
  });

  test('sends the plan to the gateway when it may control, and withdraws it while it is paused or off', async () => {
    await set({ mode: 'control' });
    await planning.planDue();
    const { plan } = sent.at(-1)!;
    assert.deepEqual([plan?.id, plan?.storages[0]?.sn], [(await read()).plan?.id, 'INV']);
    assert.equal(plan!.ends_at - plan!.steps[0]!.start, 48 * hourMs);
    await set({ paused_until: new Date(clock.now() + 2 * hourMs).toISOString() });
    await planning.planDue();
    assert.deepEqual([sent.at(-1)!.plan, (await read()).status], [null, 'paused']);
    await pass(2 * hourMs + 1000);
    assert.ok(sent.at(-1)!.plan);
    await set({ mode: 'off' });
    await planning.planDue();
    assert.deepEqual([sent.at(-1)!.plan, (await read()).status], [null, 'off']);
    const count = sent.length;
    await pass(3 * hourMs);
    assert.equal(sent.length, count);
  });

  test('does not send a plan for goals that were changed while it was made', async () => {
    await set({ mode: 'control' });
    const before = sent.length;
    house.whilePlanning = async () => {
      house.whilePlanning = undefined;
      await set({ mode: 'off' });
    };
    await planning.planDue();
    assert.deepEqual([house.whilePlanning, (await read()).status], [undefined, 'off']);
    assert.deepEqual(
      sent.slice(before).filter(({ plan }) => plan !== null),
      [],
    );
  });

  test('sends a plan again to a gateway that reports another one, once for each report', async () => {
    await set({ mode: 'control' });
    await planning.planDue();
    const { plan } = sent.at(-1)!;
    const report = (progress?: object): void =>
      gateways.state(gateway.serial, Buffer.from(JSON.stringify({ online: true, plan: progress })));
    const before = sent.length;
    report({ id: 'pln_old', state: 'following' });
    await until(() => sent.length === before + 1);
    report({ id: 'pln_old', state: 'following' });
    report({ id: plan!.id, state: 'overridden' });
    await until(async () => (await read()).progress?.state === 'overridden');
    assert.equal(sent.length, before + 1);
  });

  test('handles one report of a gateway after the other, and only the newest of those that wait', async () => {
    sent.length = 0;
    for (let n = 0; n < 500; n++) {
      const plan = { id: `pln-${n}`, state: 'following' };
      gateways.state(gateway.serial, Buffer.from(JSON.stringify({ online: true, plan })));
    }
    const row = () => store.db.selectFrom('plan_gateways').selectAll().executeTakeFirst();
    await until(async () => (await row())?.progress?.includes('pln-499') === true);
    assert.ok(sent.length <= 2, `sent ${sent.length} plans`);
  });

  test('tells the progress of each gateway that has the plan', async () => {
    const { serial } = await cloud.claim(ada, org, p256());
    const second = { serial, site_id: site, plan_id: 'pln', plan: '{}', progress: null };
    await store.write(({ db }) => savePlanGateway(db, second));
    const progressOf = new Map((await read()).gateways!.map((each) => [each.gateway_serial, each.progress]));
    assert.equal(progressOf.get(gateway.serial)?.id, 'pln-499');
    assert.deepEqual([progressOf.size, progressOf.get(serial)], [2, null]);
    await store.write(({ db }) => deletePlanGateway(db, serial));
  });

  test('plans hourly, at once when goals change, and keeps a number of plans', async () => {
    const count = async () => (await store.db.selectFrom('plans').select('id').execute()).length;
    const before = await count();
    await pass(30 * minuteMs);
    assert.equal(await count(), before);
    await pass(30 * minuteMs);
    assert.equal(await count(), before + 1);
    await set({ reserve_pct: 30 });
    await planning.planDue();
    assert.equal(await count(), before + 2);
    assert.match((await read()).plan!.because, /Goals/);
    clock.advance(3 * 24 * hourMs);
    ada.token = await cloud.signIn(ada);
    await planning.clean();
    assert.equal(await count(), 1); // the first of the day
  });

  test('retries later when no prices are known, and says so', async () => {
    house.isMarketDown = true;
    await pass(0);
    const { status, message } = await read();
    assert.equal(status, 'failed');
    assert.match(message!, /price service/);
    house.isMarketDown = false;
    await pass(minuteMs);
    assert.equal((await read()).status, 'current');
  });

  test('plans again when the site, its contract or its devices are changed', async () => {
    const made = async (): Promise<[string, string]> => {
      await pass(0);
      const { plan } = await read();
      return [plan!.id, plan!.because];
    };
    let [before] = await made();
    const {
      created_at: _,
      id: __,
      org_id: ___,
      devices: ____,
      ...settings
    } = (await cloud.call('GET', `/sites/${site}`, { as: ada })).body;
    const device = { hardware_id: 'LOAD', device_type: 'meter', ders: [{ name: 'pump', type: 'load' }] };
    let added = '';
    for (const change of [
      () => cloud.call('PUT', `/sites/${site}`, { as: ada, body: { ...settings, fuse_a: 20 } }),
      () => cloud.call('PUT', `/sites/${site}/contract`, { as: ada, body: { periods: [] } }),
      async () => {
        const { id } = await cloud.provision(ada, site, gateway.serial, device);
        added = id;
      },
      () => cloud.call('DELETE', `/devices/${added}`, { as: ada }),
    ]) {
      await change();
      const [id, because] = await made();
      assert.notEqual(id, before);
      assert.equal(because, 'The site, its devices or its contract were changed.');
      before = id;
    }
  });

  test('compares a day with its plans', async () => {
    clock.advance(Date.parse('2026-06-28T22:10:00Z') - clock.now()); // ten minutes after midnight
    reads({ SoC_nom_fract: 0.5 });
    await pass(0);
    house.measuredHours = 23; // the readings of the first hour are received later
    await pass(24 * hourMs);
    ada.token = await cloud.signIn(ada);
    const history = `/sites/${site}/plan/history?from=2026-06-29&to=2026-06-29`;
    assert.equal((await cloud.call('GET', history, { as: ada })).body.days[0].realised, null);
    house.measuredHours = Number.POSITIVE_INFINITY;
    await pass(hourMs);
    const { month, days } = (await cloud.call('GET', history, { as: ada })).body;
    const [day] = days;
    // 21 h of 400 W and 3 h of 3 kW, at the spot price (in tens of the euro), 0.30 and the energy tax, with VAT.
    assert.ok(day.promised !== null && day.realised > 10 && day.plans === 1, JSON.stringify(day));
    assert.equal(day.load_error_w, 0);
    assert.ok(day.self_consumption !== null);
    assert.deepEqual(month.days, 1);
    // Until then no battery changed the peaks of 3 kW on all evenings; the bill charges the mean of three.
    const start = Date.parse('2026-05-31T22:00:00Z');
    const { series } = quartersOf(start, Date.parse('2026-06-29T22:00:00Z'), Number.POSITIVE_INFINITY);
    const intervals = Array.from(series.import, (wh, n) => ({ start: start + n * quarterMs, import_kwh: wh / 1000 }));
    const terms = { area: 'SE3', tariff_id: threePeaks, timezone: timeZone, contracts: [] };
    const { lines, metadata } = await known.bill({ ...terms, intervals });
    const power = lines.find(({ kind }) => kind === 'power')!;
    const charge = (power.amount / (power.share ?? 1)) * (1 + metadata.vat_percent / 100);
    assert.ok(charge > 50 && Math.abs(month.power.realised - charge) < 0.02, `${month.power.realised}, not ${charge}`);
    assert.deepEqual(month.power, day.power);
    assert.ok(month.power.promised <= charge && month.power.self_consumption <= charge, JSON.stringify(month));
    const savedPower = month.power.self_consumption - month.power.realised;
    assert.ok(Math.abs(month.saved - (day.saved + savedPower)) < 0.011, JSON.stringify(month));
  });

  test('does not know what a day saved if no plan was made at its end, because the level of the battery is not known', async () => {
    reads({ SoC_nom_fract: 0.9 });
    house.measuredHours = 5;
    await pass(32 * hourMs); // from 01:10 until 09:10 on the next day
    house.measuredHours = Number.POSITIVE_INFINITY; // the gateway was offline for two days
    await pass(48 * hourMs);
    ada.token = await cloud.signIn(ada);
    const { body } = await cloud.call('GET', `/sites/${site}/plan/history`, { as: ada });
    const day = body.days.find(({ date }: { date: string }) => date === '2026-06-30');
    assert.ok(day.realised > 10, JSON.stringify(day));
    assert.deepEqual([day.self_consumption, day.saved, body.month.saved], [null, null, null]);
  });

  /** Counts the gateways that are still told to carry out a plan. */
  const planned = async () =>
    (await store.db.selectFrom('plan_gateways').where('plan_id', 'is not', null).select('serial').execute()).length;

  test('withdraws the plan of a gateway that is released, at once, and plans the site again without it', async () => {
    await pass(hourMs);
    ada.token = await cloud.signIn(ada);
    await cloud.start();
    const client = await connectGateway(cloud.transport.urls.mqtt!, gateway, clock.now());
    const received: SignedPlan[] = [];
    client.on('message', (_, payload) => {
      const [, claims = ''] = payload.toString().split('.');
      received.push(JSON.parse(Buffer.from(claims, 'base64url').toString()));
    });
    await client.subscribeAsync(planTopic(gateway.serial));
    assert.equal(await planned(), 1);
    assert.equal((await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: ada })).status, 204);
    await until(() => received.length > 0);
    await client.endAsync(true);
    assert.deepEqual([received.at(-1)!.plan, received.at(-1)!.aud, await planned()], [null, gateway.serial, 0]);
    await planning.planDue();
    const { status, message } = await read();
    assert.equal(status, 'waiting');
    assert.match(message!, /no meter/);
  });

  test('withdraws the plan of a site that is deleted, at once', async () => {
    const other = await cloud.site(ada, org, {});
    await store.write((write) =>
      gateways.update(write, other, [{ serial: gateway.serial, plan: sent.findLast(({ plan }) => plan)!.plan! }]),
    );
    assert.equal(await planned(), 1);
    assert.equal((await cloud.call('DELETE', `/sites/${other}`, { as: ada })).status, 204);
    assert.equal(await planned(), 0);
    assert.equal((await cloud.call('DELETE', `/sites/${site}?cascade=true`, { as: ada })).status, 204);
    assert.equal(await store.db.selectFrom('plans').select('id').executeTakeFirst(), undefined);
  });
});
