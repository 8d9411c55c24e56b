import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sentenceIn } from '#contract/plan-sentences.ts';
import { whatIfSentences } from '#contract/what-if-sentences.ts';
import { dearer, knownCalculator, threePeaks } from '#test/price/known-calculator.ts';
import { siteBill } from '../bill/site-bill.ts';
import { at, type EnergyAt, homeOf } from '../bill/testing/known-home.ts';
import { type ReplayedHome, runBattery } from './battery.ts';
import type { Changes, PlannedBattery } from './changed-home.ts';
import { whatIf as answer } from './what-if.ts';

const unplanned: PlannedBattery = { reserve_pct: 0, capacity_wh: undefined };
const whatIf = (asked: Parameters<typeof answer>[0], changes: Changes, battery = unplanned) =>
  answer(asked, changes, battery);

/** Sun by day, cooking in the evening; a battery that takes the surplus until noon and gives it after sunset. */
const energy: EnergyAt = (hour, date) => {
  const load = hour === 18 && Number(date.slice(8)) % 3 > 0 ? 1200 : 150;
  const solar = hour >= 9 && hour < 15 ? 500 : 0;
  const battery_charge = hour >= 9 && hour < 12 ? 300 : 0;
  const battery_discharge = hour >= 18 && hour < 23 ? 162 : 0;
  const net = load - solar + battery_charge - battery_discharge;
  return { load, solar, battery_charge, battery_discharge, import: Math.max(0, net), export: Math.max(0, -net) };
};

const spot = (hour: number): number => (hour < 6 ? 10 : hour >= 16 && hour < 21 ? 150 : 50);
const home = (tariff?: string) => ({
  ...homeOf({ energy, calculator: knownCalculator({ spot }), ...(tariff && { tariff }) }),
  now: at('2026-04-01', 10),
});
const range = { from: new Date(at('2026-02-10')).toISOString(), to: new Date(at('2026-03-20')).toISOString() };
const billed = { from: at('2026-02-10'), to: at('2026-03-20'), until: at('2026-03-20') };

suite('another battery, roof or tariff', () => {
  for (const tariff of [undefined, threePeaks])
    test(`nothing changed: the bill to the cent, and plans that cost no more ${tariff ? 'with' : 'without'} power charges`, async () => {
      const found = await whatIf(home(tariff), range);
      const bill = await siteBill(home(tariff), billed);
      assert.equal(found.actual.total, bill.total);
      assert.equal(found.actual.import_wh, Math.round(bill.metadata.import_kwh * 1000));
      assert.ok(found.planned.total < found.self_consumption.total - 1, JSON.stringify(found));
      assert.equal(found.saved, Math.round((found.actual.total - found.planned.total) * 100) / 100);
      assert.match(found.assumed.join(' '), /The present battery counts as 3\.4 kWh and 1\.2 kW/);
      const notes = found.assumed.filter((text) => /battery|plan /i.test(text));
      assert.ok(notes.length > 2 && notes.every((text) => sentenceIn(whatIfSentences, text)), notes.join('\n'));
      assert.equal(/chosen knowing the month/.test(found.assumed.join(' ')), tariff !== undefined);
    });

  test('a larger battery saves more, and none leaves nothing to plan', async () => {
    const none = await whatIf(home(threePeaks), { ...range, battery_wh: 0 });
    assert.deepEqual(none.planned, none.self_consumption);
    assert.ok(none.planned.total > none.actual.total);
    const [small, large] = await Promise.all(
      [5000, 15_000].map((battery_wh) => whatIf(home(threePeaks), { ...range, battery_wh })),
    );
    assert.ok(large!.planned.total < small!.planned.total && small!.planned.total < none.planned.total);
  });

  test('a battery keeps the reserve of the goals: as much is bought as with a smaller one', async () => {
    const asked = { ...range, battery_w: 3000 };
    const [reserved, smaller] = await Promise.all([
      whatIf(home(), { ...asked, battery_wh: 10_000 }, { ...unplanned, reserve_pct: 40 }),
      whatIf(home(), { ...asked, battery_wh: 6000 }),
    ]);
    assert.deepEqual(reserved.planned, smaller.planned);
    assert.match(reserved.assumed.join(' '), /10\.0 kWh, of which the 40 % that the goals reserve are not used/);
  });

  test('the present battery is that of the plans of the site', async () => {
    const found = await whatIf(home(), range, { reserve_pct: 20, capacity_wh: 8000 });
    assert.match(found.assumed.join(' '), /The present battery: 8\.0 kWh, of which the 20 %/);
    const same = await whatIf(home(), { ...range, battery_wh: 6400, battery_w: 1200 });
    assert.deepEqual(found.self_consumption, same.self_consumption);
    const kept = await whatIf(home(), range, { reserve_pct: 100, capacity_wh: 8000 });
    assert.ok(kept.assumed.includes('The goals reserve the whole battery.'), kept.assumed.join(' '));
  });

  test('without a roof nothing is exported, and with twice the roof twice as much is generated', async () => {
    const none = await whatIf(home(), { ...range, battery_wh: 0, solar_w: 0 });
    assert.equal(none.self_consumption.export_wh, 0);
    const net = ({ self_consumption: { import_wh, export_wh } }: typeof none) => import_wh - export_wh;
    const same = await whatIf(home(), { ...range, battery_wh: 0, solar_w: 2000 });
    const twice = await whatIf(home(), { ...range, battery_wh: 0, solar_w: 4000 });
    assert.equal(net(none) - net(same), net(same) - net(twice));
  });

  test('another tariff changes the bill, not the energy', async () => {
    const [cheap, dear] = await Promise.all(
      [threePeaks, dearer].map((tariff_id) => whatIf(home(), { ...range, battery_wh: 0, tariff_id })),
    );
    assert.equal(cheap!.self_consumption.import_wh, dear!.self_consumption.import_wh);
    assert.ok(dear!.self_consumption.total > cheap!.self_consumption.total);
    assert.equal(cheap!.actual.total, dear!.actual.total);
    await assert.rejects(whatIf(home(), { ...range, tariff_id: 'gone' }), { code: 'unprocessable' });
  });

  test('begins with the first measured day, and says so', async () => {
    const known = homeOf({
      energy: (hour, date) => (date >= '2026-03-10' ? energy(hour, date) : undefined),
      calculator: knownCalculator({ spot }),
    });
    const found = await whatIf({ ...known, now: at('2026-03-20', 10) }, {});
    assert.deepEqual([Date.parse(found.from), Date.parse(found.to)], [at('2026-03-10'), at('2026-03-20')]);
    assert.match(found.assumed[0]!, /known from 2026-03-10 on, so this is about 10 days/);
  });

  test('is refused for a time without energy, and a roof that nobody measured', async () => {
    const empty = homeOf({ energy: () => undefined });
    await assert.rejects(whatIf({ ...empty, now: at('2026-03-20') }, {}), { code: 'conflict', message: /meter/ });
    const dark = homeOf({ energy: () => ({ import: 100, load: 100 }), calculator: knownCalculator({ spot }) });
    const asked = whatIf({ ...dark, now: at('2026-03-20') }, { ...range, to: range.from, from: range.from });
    await assert.rejects(asked, { code: 'unprocessable' });
    await assert.rejects(whatIf({ ...dark, now: at('2026-04-01') }, { ...range, solar_w: 5000 }), {
      code: 'unprocessable',
    });
  });
});

test('a plan keeps to a limit that the battery can hold, and knows no price before it is published', () => {
  const quarters = 4 * 96;
  const net = Float64Array.from({ length: quarters }, (_, t) => (t % 96 >= 72 && t % 96 < 80 ? 1000 : 100));
  const buy = new Float64Array(quarters).fill(0.001);
  const known: ReplayedHome = {
    net,
    buy,
    sell: new Float64Array(quarters),
    published: new Map([[0, 96], ...[0, 1, 2, 3].map((day): [number, number] => [day * 96 + 56, (day + 2) * 96])]),
    battery: { capacityWh: 6000, quarterWh: 1000, efficiency: 0.95, wearShare: 0 },
  };
  const whole = { from: 0, to: quarters, startWh: 0 };
  const most = (from: number, limit: number) => Math.max(...runBattery(known, whole, limit).grid.subarray(from));
  assert.equal(most(96, Number.POSITIVE_INFINITY), 1000);
  assert.ok(most(96, 500) <= 500 + 1e-6);

  const surprised = { ...known, buy: buy.slice().fill(0.01, 96) }; // tomorrow is dear, which is published at 14:00
  const [plain, other] = [known, surprised].map((home) => runBattery(home, whole, Number.POSITIVE_INFINITY).grid);
  assert.deepEqual(other!.subarray(0, 56), plain!.subarray(0, 56));
  assert.notDeepEqual(other!.subarray(56, 96), plain!.subarray(56, 96));
});

test('a plan does not discharge for less than the wear', () => {
  const quarters = 96;
  const buy = Float64Array.from({ length: quarters }, (_, t) => (t < 48 ? 0.001 : 0.00101));
  const known: ReplayedHome = {
    net: new Float64Array(quarters).fill(500),
    buy,
    sell: new Float64Array(quarters),
    published: new Map([[0, quarters]]),
    battery: { capacityWh: 6000, quarterWh: 1000, efficiency: 1, wearShare: 0.02 },
  };
  const run = (at: ReplayedHome) => runBattery(at, { from: 0, to: quarters, startWh: 0 }, Number.POSITIVE_INFINITY);
  assert.ok(run(known).grid.every((wh) => Math.abs(wh - 500) < 1e-6));
  const dearer = buy.map((price, t) => (t < 48 ? price : 0.00104));
  assert.ok(run({ ...known, buy: dearer }).grid.some((wh) => wh > 600));
});
