import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PeakFee, PlanReplayCase } from '#contract/plan.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { gridOf, levelsOf } from '../schedule.ts';
import { battery } from '../testing/problem-of.ts';
import { FeeView } from './fee-view.ts';
import { LearnedDays } from './learned-days.ts';
import { costBelow } from './limit-costs.ts';
import { attainablePeak, PeakOutlook } from './outlook.ts';
import { PeakBook } from './peak-book.ts';
import { realisedCsv, replay } from './replay.ts';
import type { Series } from './world.ts';

const timezone = 'Europe/Stockholm';
const start = Date.parse('2026-01-01T00:00:00+01:00');
const month = { period: 'month', window_s: 3600, one_per_day: true } as const;
const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} instead of ${expected}`);

/** Returns days with a dear evening and a meal at an unknown hour. */
const seriesOf = (days: number, sunW = 0): Series => {
  const hours = Array.from({ length: days * 24 }, (_, n) => n);
  const meal = (day: number): number => 17 + ((day * 7) % 4);
  const of = (value: (hour: number, day: number) => number): Float64Array =>
    Float64Array.from(hours, (n) => value(n % 24, Math.floor(n / 24)));
  return {
    startMs: start,
    stepMs: hourMs,
    load_w: of((hour, day) => (hour === meal(day) ? 5000 : 800 + 40 * ((day * 5 + hour) % 7))),
    solar_w: of((hour, day) => Math.max(0, sunW * Math.sin(((hour - 7) / 10) * Math.PI) * (day % 3 === 0 ? 0.3 : 1))),
    import_price: of((hour) => (hour >= 16 && hour < 21 ? 2 : hour < 6 ? 0.8 : 1.2)),
    export_price: of(() => 0.3),
    priceKnownAt: of(() => 0).map((_, n) => start + Math.floor(n / 24) * dayMs - 11 * hourMs),
    fixed_price: of(() => 0.5),
  };
};
const caseOf = (days: number, fees: PeakFee[], reacts = true): PlanReplayCase => ({
  format: 'ohmstead-plan-1',
  timezone,
  solar_curtailable: true,
  grid: {},
  storages: [{ ...battery, start_wh: 5000, charge_efficiency: 0.95, discharge_efficiency: 0.95 }],
  peak_fees: fees,
  replay: {
    evaluate_from: new Date(start + 10 * dayMs).toISOString(),
    evaluate_to: new Date(start + days * dayMs).toISOString(),
    reacts,
  },
});
const fee: PeakFee = { ...month, count: 1, price_per_kw: 50 };

suite('a replay', () => {
  const replayed = replay(caseOf(13, [fee]), seriesOf(13));

  test('is cheaper than self-consumption and keeps the peak low, although the hour of the meal is not known', () => {
    const { cost, noStorage } = replayed;
    near(noStorage.peaks, 250, 1e-9);
    assert.ok(cost.peaks < 0.6 * noStorage.peaks, `${cost.peaks}`);
    assert.ok(cost.total < noStorage.total - 100, `${cost.total}`);
  });

  test('keeps the limits of the battery, and its table says what happened', () => {
    const { problem, schedule } = replayed;
    const levels = levelsOf(
      problem.storages[0]!,
      schedule.storages[0]!,
      problem.steps_s.map(() => 1),
    );
    assert.ok(levels.every((wh) => wh > -1e-6 && wh < 10_000 + 1e-6));
    const [header, first] = realisedCsv(replayed).split('\n');
    assert.equal(header, 'start,grid_w,battery_charge_w,battery_discharge_w,battery_wh');
    const cells = first!.split(',');
    assert.equal(cells[0], '2026-01-10T23:00:00.000Z');
    near(Number(cells[1]), gridOf(problem, schedule)[0]!, 0.001);
    near(Number(cells[4]), levels[0]!, 0.001);
  });

  test('leaves goals that a car without sun can only reach from the grid, which it may not use', () => {
    const goals = [246, 258, 270].map((step) => ({ step, wh: 9000 }));
    const car = { ...battery, id: 'car', kind: 'car', discharge_w: 0, from_grid: false, goals } as const;
    const { schedule } = replay({ ...caseOf(12, []), storages: [{ ...car, goals: [...goals] }] }, seriesOf(12));
    assert.ok(schedule.storages[0]!.charge.every((w) => w === 0));
  });

  test('keeps storages together from using the grid where they may not', () => {
    const storages = ['one', 'two'].map((id) => ({
      ...battery,
      id,
      start_wh: 5000,
      from_grid: false,
      to_grid: id === 'two',
      charge_efficiency: 0.95,
      discharge_efficiency: 0.95,
    }));
    const { problem, schedule } = replay({ ...caseOf(13, [fee]), storages }, seriesOf(13, 6000));
    for (const [t, grid] of gridOf(problem, schedule).entries()) {
      const surplus = schedule.solarUsed[t]! - problem.load_w[t]!;
      const charged = schedule.storages.reduce((sum, { charge }) => sum + charge[t]!, 0);
      const discharged = schedule.storages[0]!.discharge[t]!;
      assert.ok(grid < 0.01 || charged < Math.max(0, surplus) + 0.01, `step ${t} buys`);
      assert.ok(grid > -0.01 || discharged < Math.max(0, -surplus) + 0.01, `step ${t} sells`);
    }
  });

  test('does not look into the future', () => {
    const changed = seriesOf(13);
    const known = 11 * 24 + 5; // 05:00: tomorrow's prices are not known yet
    for (let n = known; n < changed.load_w.length; n++) {
      changed.load_w[n] = 9000;
      changed.solar_w[n] = 4000;
      if (changed.priceKnownAt[n]! > start + known * hourMs) changed.import_price[n] = 7;
    }
    const other = replay(caseOf(13, [fee]), changed);
    const before = 24 + 5;
    for (const name of ['charge', 'discharge'] as const)
      assert.deepEqual(
        other.schedule.storages[0]![name].slice(0, before),
        replayed.schedule.storages[0]![name].slice(0, before),
      );
  });

  test('without reacting, the grid takes the difference', () => {
    const { schedule, problem, cost } = replay(caseOf(11, [fee], false), seriesOf(11));
    assert.ok(cost.total >= replayed.cost.total / 6);
    const grid = gridOf(problem, schedule);
    const { charge, discharge } = schedule.storages[0]!;
    for (const [t, w] of grid.entries()) near(w, problem.load_w[t]! + charge[t]! - discharge[t]!, 1e-6);
  });

  test('stores the sun of the day for the evening', () => {
    const { cost, selfConsumption, noStorage } = replay(caseOf(12, []), seriesOf(12, 4000));
    assert.ok(cost.total < selfConsumption.total && selfConsumption.total < noStorage.total);
  });

  test('charges a car that has to be ready, also with windows longer than a step', () => {
    const quarters: Series = {
      ...seriesOf(12),
      stepMs: hourMs / 4,
    };
    const long = (values: Float64Array): Float64Array =>
      Float64Array.from({ length: 12 * 96 }, (_, n) => values[n >> 2]!);
    for (const name of ['load_w', 'solar_w', 'import_price', 'export_price', 'priceKnownAt', 'fixed_price'] as const)
      quarters[name] = long(quarters[name]);
    const ready = { step: 11 * 96 + 27, wh: 9000 }; // 07:00
    const car = { ...battery, id: 'car', kind: 'car' as const, charge_min_w: 1400, discharge_w: 0, goals: [ready] };
    const base = caseOf(12, [fee]);
    const { problem, schedule } = replay({ ...base, storages: [...base.storages, car] }, quarters);
    const levels = levelsOf(
      problem.storages[1]!,
      schedule.storages[1]!,
      problem.steps_s.map(() => 0.25),
    );
    assert.ok(levels[96 + 27]! >= 8990, `${levels[96 + 27]}`);
  });
});

test('a replay with two power charges keeps the dear peak low, in whichever order they are listed', () => {
  const series = seriesOf(13);
  const dayTime = Array.from(series.load_w, (_, n) => n % 24 >= 7 && n % 24 < 21);
  const base: PeakFee = { ...month, count: 1, price_per_kw: 40 };
  const highLoad: PeakFee = { ...base, price_per_kw: 70, counted: dayTime };
  const peaksWith = (...fees: PeakFee[]): number => replay(caseOf(13, fees), series).cost.peaks;
  const peaks = peaksWith(base, highLoad);
  assert.ok(peaks < 170, `${peaks}`);
  near(peaksWith(highLoad, base), peaks, 1e-6);
  near(peaksWith({ ...base, one_per_day: false }, highLoad), peaks, 8);
});

suite('the outlook on the peaks of a month', () => {
  const three: PeakFee = { ...month, count: 3, price_per_kw: 30 };

  test('a peak that later days will exceed anyway costs nothing, on the last day all of it', () => {
    const outlook = new PeakOutlook(
      fee,
      Array.from({ length: 20 }, () => [4, 5, 6]),
    );
    near(outlook.expected([3], 20), outlook.expected([0], 20), 1e-9);
    assert.ok(outlook.expected([7], 20) > outlook.expected([0], 20) + 30);
    near(outlook.expected([3], 0), 150, 1e-9);
  });

  test('takes the mean of the highest', () => {
    near(new PeakOutlook(three, []).expected([6, 3, 1, 2], 0), (30 * 11) / 3, 1e-9);
    near(
      new PeakOutlook(
        three,
        Array.from({ length: 20 }, () => [3]),
        3,
      ).expected([6], 20),
      (30 * 12) / 3,
      1e-9,
    );
  });

  test('the rest of a month may be milder than the days before', () => {
    const expected = new PeakOutlook(
      three,
      Array.from({ length: 20 }, () => [3]),
    ).expected([], 20);
    assert.ok(expected > 0.7 * 90 && expected < 90, `${expected}`);
  });

  test('a battery can keep the peak of a day at the rest of the load when it is empty', () => {
    const shaver = { energyWh: 3000, chargeW: 5000, dischargeW: 5000, efficiency: 1, wearPerKwh: 0 };
    const day = [1000, 4000, 4000, 1000].map((net_w) => ({ net_w, weight: 1 }));
    near(attainablePeak(day, 1, shaver), 2.5, 0.01);
    near(
      attainablePeak(
        day.map((each) => ({ ...each, weight: 0.5 })),
        1,
        shaver,
      ),
      1.25,
      0.01,
    );
  });
});

suite('a peak that pays', () => {
  test('a day costs less the more may be bought while it is cheap', () => {
    const shaver = { energyWh: 4000, chargeW: 5000, dischargeW: 5000, efficiency: 1, wearPerKwh: 0 };
    const day = [0.1, 0.1, 1, 1].map((importPrice) => ({ net_w: 1000, weight: 1, importPrice, exportPrice: 0 }));
    // Energy stored at the end is worth the mean price, 0.55.
    near(costBelow(1, day, 1, shaver), 0.2, 1e-9);
    near(costBelow(1.5, day, 1, shaver), 0.3 - 0.55, 1e-9);
    near(costBelow(9, day, 1, shaver), 0.4 - 1.1, 1e-9);
    const lower = day.map((window) => ({ ...window, weight: 0.5 }));
    near(costBelow(0.75, lower, 1, shaver), 0.3 - 0.55, 1e-9);
    near(costBelow(9, day, 1, { ...shaver, wearPerKwh: 0.05 }), 0.4 + 0.1 - 1.1, 1e-9);
  });

  test('costs nothing early in the month, when later days will use it too, and all of its price on the last day', () => {
    const series = seriesOf(40);
    series.load_w.fill(1000);
    series.import_price = series.import_price.map((_, n) => (n % 24 < 4 ? 0.1 : 2));
    const addedOn = (date: string): number => {
      const now = (Date.parse(`${date}T00:00:00+01:00`) - start) / hourMs;
      const view = new FeeView(
        { ...fee, count: 3, price_per_kw: 30 },
        series,
        timezone,
        [battery],
        start,
        start + 80 * dayMs,
      );
      view.learn(now);
      const by = view.feeByPeakOf(date, date);
      return by(2) - by(1);
    };
    near(addedOn('2026-01-10'), 0, 0.01);
    near(addedOn('2026-01-31'), 30, 0.01);
  });
});

suite('the days to learn from', () => {
  const hours = 80 * 24;
  const at = (date: string): number => (Date.parse(`${date}T00:00:00+01:00`) - start) / hourMs;
  const viewOf = (weightAt: (ms: number) => number, now: string): FeeView => {
    const series = seriesOf(80);
    series.load_w.fill(4000);
    const weight = Array.from({ length: hours }, (_, n) => weightAt(start + n * hourMs));
    const view = new FeeView({ ...fee, weight }, series, timezone, [], start, start + 80 * dayMs);
    view.learn(at(now));
    return view;
  };

  test('count as the days to come will, so that a season at half price expects half of the peaks', () => {
    const winter = (ms: number): number => (ms < start + 31 * dayMs ? 1 : 0.5);
    near(viewOf(winter, '2026-01-20').expectedOf('2026-01-20'), 4, 1e-9);
    near(viewOf(winter, '2026-02-01').expectedOf('2026-02-01'), 2, 1e-9);
  });

  test('leave out days that do not count: on the last working day a peak costs all of its price', () => {
    const working = (ms: number): number => ([0, 6].includes(new Date(ms + hourMs).getUTCDay()) ? 0 : 1);
    const addedOn = (day: string): number => {
      const by = viewOf(working, day).feeByPeakOf(day, day);
      return by(2) - by(1);
    };
    near(addedOn('2026-01-29'), 0, 1e-9); // Thursday
    near(addedOn('2026-01-30'), 50, 1e-9);
    near(addedOn('2026-01-31'), 0, 1e-9);
  });

  test('keep a reserve below a limit, so that they cost more than if they had been known', () => {
    const shaver = { energyWh: 4000, chargeW: 5000, dischargeW: 5000, efficiency: 1, wearPerKwh: 0 };
    const series = seriesOf(80);
    const learned = new LearnedDays(series, timezone, hourMs, shaver, () => 1);
    learned.update(at('2026-02-20'));
    const days = learned.like(learned.patternOf('2026-02-20')!, '2026-02-20');
    const last = at('2026-02-19');
    const windows = Array.from({ length: 24 }, (_, n) => ({
      net_w: series.load_w[last + n]!,
      weight: 1,
      importPrice: series.import_price[last + n]!,
      exportPrice: series.export_price[last + n]!,
    }));
    assert.ok(days.at(-1)!.costBelow(1.5) > costBelow(1.5, windows, 1, shaver) + 0.05);
    near(days.at(-1)!.costBelow(9), costBelow(9, windows, 1, shaver), 1e-9);
  });

  test('have the sun of the days to come', () => {
    const shaver = { energyWh: 1000, chargeW: 500, dischargeW: 500, efficiency: 1, wearPerKwh: 0 };
    const learned = new LearnedDays(seriesOf(80, 2000), timezone, hourMs, shaver, () => 1);
    learned.update(at('2026-02-20'));
    const energyOn = (date: string): number =>
      learned.like(learned.patternOf(date)!, date).reduce((sum, day) => sum + day.costBelow(9), 0);
    assert.ok(energyOn('2026-03-20') < 0.95 * energyOn('2026-02-20'));
  });
});

suite('the peaks so far', () => {
  test('are means over windows, one for each day, and start again with the month', () => {
    const book = new PeakBook({ ...fee, peaks_so_far: [{ day: '2026-01-05', kw: 2 }] }, timezone, start + 6 * dayMs);
    const noon = start + 6 * dayMs + 12 * hourMs;
    book.add(noon, 1800, 6, 1);
    assert.equal(book.peakOf('2026-01-07'), 0); // the mean may still fall
    book.add(noon + hourMs / 2, 1800, 2, 1);
    assert.equal(book.peakOf('2026-01-07'), 4);
    assert.deepEqual(book.peaks('2026-01-07'), [2]);
    book.enter(Date.parse('2026-02-01T00:00:00+01:00'));
    assert.deepEqual(book.peaks(), []);
  });
});
