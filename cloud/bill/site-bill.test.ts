import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ContractPeriod } from '#contract/price/contract.ts';
import { Problem } from '#contract/problem.ts';
import { knownCalculator, threePeaks } from '#test/price/known-calculator.ts';
import { billOf, noCalculator } from './bill-calculator.ts';
import { parseBillRange } from './bill-range.ts';
import { siteBill, siteSavings } from './site-bill.ts';
import { at, type EnergyAt, homeOf, isDay, zone } from './testing/known-home.ts';

const range = (from: string, to: string, until = to) => ({ from: at(from), to: at(to), until: at(until) });

suite('the bill of a site', () => {
  test('has the energy of the ledger to the watt-hour, and the prices of its contract', async () => {
    const energy: EnergyAt = (hour) => ({ import: 100 + hour, export: hour === 12 ? 333 : 0 });
    const periods: ContractPeriod[] = [{ valid_from: '2026-03-10', pricing: 'fixed', fixed_price_per_kwh: 1 }];
    const bill = await siteBill(homeOf({ energy, periods }), range('2026-03-01', '2026-04-01'));
    // A day of 24 hours has 4 x (24 x 100 + 276) = 10 704 Wh; 29 March has no hour 2: 4 x 102 Wh less.
    assert.equal(bill.metadata.import_kwh, (31 * 10_704 - 408) / 1000);
    assert.equal(bill.metadata.export_kwh, (31 * 4 * 333) / 1000);
    assert.deepEqual(
      bill.lines
        .filter(({ kind }) => kind === 'spot' || kind === 'energy')
        .map(({ kind, quantity }) => [kind, quantity]),
      [
        ['spot', 96.336], // 9 x 10.704
        ['energy', 235.08], // 22 x 10.704 - 0.408
      ],
    );
    assert.deepEqual([bill.coverage_pct, bill.projected, bill.peaks], [100, undefined, undefined]);
  });

  test('twelve months add up to the year, in energy and in money apart from rounding', async () => {
    const energy: EnergyAt = (hour, date) => ({
      import: Number(date.slice(8)) * 7 + hour,
      export: isDay(hour) ? 61 : 0,
    });
    const market = knownCalculator({ spot: (hour) => (isDay(hour) ? 50 : 20) });
    const home = homeOf({ energy, calculator: market, tariff: threePeaks });
    const firsts = Array.from({ length: 13 }, (_, n) => new Date(Date.UTC(2025, 10 + n)).toISOString().slice(0, 10));
    const months = await Promise.all(firsts.slice(1).map((to, n) => siteBill(home, range(firsts[n]!, to))));
    const year = await siteBill(home, range(firsts[0]!, firsts[12]!));
    const sum = (of: (bill: typeof year) => number) => months.reduce((total, bill) => total + of(bill), 0);
    assert.equal(
      Math.round(sum((bill) => bill.metadata.import_kwh * 1000)),
      Math.round(year.metadata.import_kwh * 1000),
    );
    assert.equal(
      Math.round(sum((bill) => bill.metadata.export_kwh * 1000)),
      Math.round(year.metadata.export_kwh * 1000),
    );
    assert.ok(Math.abs(sum((bill) => bill.total) - year.total) < 0.5);
  });

  test('of a running month has the peaks so far and a projected total', async () => {
    const energy: EnergyAt = (hour, date) => {
      const isWeekend = [0, 6].includes(new Date(date).getUTCDay());
      return { import: date === '2026-04-14' && hour === 18 ? 1500 : isWeekend ? 200 : 100 };
    };
    const home = homeOf({ energy, tariff: threePeaks });
    const bill = await siteBill(home, range('2026-04-01', '2026-05-01', '2026-04-21'));
    assert.equal(bill.peaks?.[0]?.kw, 6);
    assert.equal(bill.next_peak?.above_kw, 0.8); // weekends have four times 200 Wh in an hour
    // From 21 to 30 April there are 8 weekdays of 9.6 kWh and 2 days of a weekend with 19.2 kWh.
    const whole = await siteBill(
      { ...home, calculator: knownCalculator({ spot: (hour) => (isDay(hour) ? 50 : 20) }) },
      range('2026-04-01', '2026-05-01'),
    );
    // The evening of 14 April is one of 14 days: the 8 weekdays get 1400 / 14 Wh more in each quarter of an hour then.
    const more = 8 * 4 * 0.1 * (0.5 + 0.36 + 0.3) * 1.25;
    assert.ok(Math.abs(bill.projected!.total - whole.total - more) < 0.05, `${bill.projected?.total} ${whole.total}`);
    assert.match(bill.projected!.assumed.join(' '), /14 weekdays, 14 days of weekends.*Spot prices from 2026-04-20T22/);
  });

  test('of a home without history assumes nothing', async () => {
    const energy: EnergyAt = (_, date) => (date === '2026-04-20' ? { import: 100 } : undefined);
    const bill = await siteBill(homeOf({ energy }), range('2026-04-01', '2026-05-01', '2026-04-21'));
    assert.equal(bill.coverage_pct, 5);
    assert.match(bill.projected!.assumed[0]!, /No recent day/);
  });

  test('needs a price area', async () => {
    const home = homeOf({ energy: () => ({ import: 100 }) });
    const site = { ...home.site, price_area: null };
    await assert.rejects(siteBill({ ...home, site }, range('2026-04-01', '2026-04-02')), {
      code: 'unprocessable',
      message: /price area/,
    });
  });
});

suite('what solar panels and batteries saved', () => {
  // By day the sun gives 500 Wh: 100 Wh are used, 150 Wh charge the battery, 250 Wh are exported. At night the battery
  // gives 100 of 180 Wh.
  const energy: EnergyAt = (hour) =>
    isDay(hour)
      ? { solar: 500, export: 250, battery_charge: 150, load: 100 }
      : { import: 80, battery_discharge: 100, load: 180 };
  const periods: ContractPeriod[] = [{ valid_from: '2026-01-01', pricing: 'spot', vat_percent: 0 }];

  test('is the difference to bills of the same days without them', async () => {
    const savings = await siteSavings(homeOf({ energy, periods }), range('2026-04-01', '2026-04-11'));
    // 10 days have 480 quarters by day and as many at night. Actual: 480 x 80 Wh at 0.20 + 0.36 tax, less 480 x 250 Wh at 0.50.
    assert.equal(savings.actual, -38.5); // 38.4 x 0.56 = 21.504 (7.68 + 13.82) - 60.00
    // Without the battery: 180 Wh are imported at night, 400 Wh are exported by day.
    assert.equal(savings.without_battery, -47.62); // 86.4 x 0.56 = 48.384 (17.28 + 31.10) - 96.00
    // Without the sun: by day 250 Wh are imported, at night 80 Wh.
    assert.equal(savings.without_solar, 124.7); // 120 x 0.50 + 38.4 x 0.20 + 158.4 x 0.36 = 60 + 7.68 + 57.02
    assert.deepEqual(savings.saved, { battery: -9.12, solar: 163.2 });
    assert.equal(savings.self_consumption, 50); // 250 of 500 Wh
  });

  test('is nothing without them, also when energy flows in both directions within a quarter', async () => {
    const savings = await siteSavings(
      homeOf({ energy: () => ({ import: 100, export: 60 }), periods }),
      range('2026-04-01', '2026-04-03'),
    );
    assert.deepEqual([savings.saved, savings.self_consumption], [{ battery: 0, solar: 0 }, null]);
  });
});

suite('the range of a bill', () => {
  const now = Date.parse('2026-11-18T18:07:00Z');
  const parse = (query: object) => {
    const { from, to, until } = parseBillRange(query, zone, now);
    return [from, to, until].map((ms) => new Date(ms).toISOString().slice(0, 16));
  };

  for (const { says, query, found } of [
    { says: 'is the current month', query: {}, found: ['2026-10-31T23:00', '2026-11-30T23:00', '2026-11-18T18:15'] },
    {
      says: 'may be a month with a clock change',
      query: { month: '2026-10' },
      found: ['2026-09-30T22:00', '2026-10-31T23:00', '2026-10-31T23:00'],
    },
    {
      says: 'may be local days',
      query: { from: '2026-03-29', to: '2026-03-30' },
      found: ['2026-03-28T23:00', '2026-03-29T22:00', '2026-03-29T22:00'],
    },
    {
      says: 'may be instants',
      query: { from: '2026-11-18T10:15:00Z', to: '2026-11-18T12:00:00+01:00' },
      found: ['2026-11-18T10:15', '2026-11-18T11:00', '2026-11-18T11:00'],
    },
    {
      says: 'ends with the month of its start',
      query: { from: '2026-12-31' },
      found: undefined,
    },
    { says: 'is not in the future', query: { month: '2026-12' }, found: undefined },
    { says: 'refuses a thirteenth month', query: { month: '2026-13' }, found: undefined },
    { says: 'is a month or a range', query: { month: '2026-10', from: '2026-10-01' }, found: undefined },
    { says: 'lies on quarters of an hour', query: { from: '2026-11-18T10:10:00Z' }, found: undefined },
    { says: 'has a beginning', query: { to: '2026-11-18' }, found: undefined },
    { says: 'has days of the calendar', query: { from: '2026-02-30' }, found: undefined },
    { says: 'spans at most 400 days', query: { from: '2025-01-01', to: '2026-11-01' }, found: undefined },
  ]) {
    test(says, () => {
      if (found) assert.deepEqual(parse(query), found);
      else assert.throws(() => parse(query), { code: 'unprocessable' });
    });
  }
});

suite('a price service that cannot bill', () => {
  const body = { intervals: [] };
  for (const { code, answered } of [
    { code: 'not_found', answered: 'unprocessable' },
    { code: 'unprocessable', answered: 'unprocessable' },
    { code: 'unavailable', answered: 'unavailable' },
    { code: 'upstream_failed', answered: 'unavailable' },
    { code: 'rate_limited', answered: 'unavailable' },
  ] as const) {
    test(`with ${code} is answered with ${answered}`, async () => {
      const failing = { bill: () => Promise.reject(new Problem(code, 'A reason.')) };
      await assert.rejects(billOf(failing, body), { code: answered, message: /A reason/ });
    });
  }

  test('that is not configured is answered with what to do', async () => {
    await assert.rejects(billOf(noCalculator, body), { code: 'unavailable', message: /PRICE_URL/ });
  });

  test('because of a mistake in the program is not hidden', async () => {
    await assert.rejects(billOf({ bill: () => Promise.reject(new TypeError('x')) }, body), TypeError);
  });
});
