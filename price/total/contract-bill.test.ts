import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ContractPeriod } from '#contract/price/contract.ts';
import type { Bill, BillLine } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { assertAddsUp } from '#test/price/december.ts';
import { makeBill } from './bill.ts';
import { dearer, knownMarket, localHours, threePeaks } from './testing/known-market.ts';

const isDay = (hour: number): boolean => hour >= 8 && hour < 20;
/** 0.50 SEK from 8 to 20, 0.20 SEK at night. */
const dayAndNight = (hour: number): number => (isDay(hour) ? 50 : 20);

const shown = ({ lines }: Bill) => lines.map(({ kind, quantity, price, amount }) => [kind, quantity, price, amount]);
const linesOf = ({ lines }: Bill, kind: BillLine['kind']) => lines.filter((line) => line.kind === kind);

suite('a bill recomputed by hand', () => {
  test('spot with markup, a power charge of three peaks, export at the spot price', async () => {
    const peaks: Record<string, number> = { '2026-04-07': 5, '2026-04-14': 7, '2026-04-21': 6, '2026-04-28': 4 };
    const intervals = localHours('2026-04-01', '2026-05-01', (hour, date) => {
      if (hour === 18 && peaks[date]) return { import_kwh: peaks[date] };
      return isDay(hour) ? { import_kwh: 0, export_kwh: 2 } : { import_kwh: 1 };
    });
    const contract: ContractPeriod = {
      valid_from: '2025-06-01',
      supplier: 'Elbolaget',
      pricing: 'spot',
      markup_per_kwh: 0.05,
      monthly_fee: 39,
    };
    const asked = { area: 'SE3', tariff_id: threePeaks, contracts: [contract], intervals };
    const bill = await makeBill(asked, knownMarket({ spot: dayAndNight }));
    // 30 nights of 12 hours are 360 kWh; the peaks are 5 + 7 + 6 + 4 = 22 kWh by day: 382 kWh.
    // 360 days' hours without the 4 peaks export 2 kWh each: 356 x 2 = 712 kWh.
    assert.deepEqual(shown(bill), [
      ['spot', 382, 0.217277, 83], // 360 x 0.20 + 22 x 0.50 = 72 + 11; 83 / 382 = 0.217277
      ['markup', 382, 0.05, 19.1], // 382 x 0.05
      ['fee', 1, 39, 39],
      ['grid_energy', 382, 0.3, 114.6], // 382 x 0.30
      ['energy_tax', 382, 0.36, 137.52], // 382 x 0.36, the rate of 2026
      ['fixed', 1, 200, 200],
      ['power', 6, 40, 240], // (7 + 6 + 5) / 3 = 6 kW x 40
      ['vat', 833.22, 0.25, 208.31], // 83 + 19.10 + 39 + 114.60 + 137.52 + 200 + 240 = 833.22; a quarter is 208.305
      ['export', 712, -0.5, -356], // 712 x 0.50
    ]);
    assert.equal(bill.total, 685.53); // 833.22 + 208.31 - 356.00
    assert.deepEqual(
      linesOf(bill, 'power')[0]?.peaks?.map(({ start, kw }) => [start.slice(0, 13), kw]),
      [
        ['2026-04-14T16', 7],
        ['2026-04-21T16', 6],
        ['2026-04-07T16', 5],
      ],
    );
    assert.equal(bill.next_peak, null, 'the month is over');
  });

  test('a fixed price and a monthly fee that change within a month of 23 and 24 hours a day', async () => {
    const contracts: ContractPeriod[] = [
      { valid_from: '2025-03-16', pricing: 'fixed', fixed_price_per_kwh: 0.8, monthly_fee: 49 },
      { valid_from: '2026-03-16', pricing: 'fixed', fixed_price_per_kwh: 0.75, monthly_fee: 31 },
    ];
    const intervals = localHours('2026-03-01', '2026-04-01', () => ({ import_kwh: 1 }));
    const bill = await makeBill({ area: 'SE3', contracts, intervals }, knownMarket({})); // no spot price is needed
    // 15 days of 24 hours are 360 kWh; 16 days, one of 23 hours, are 383 kWh; 743 kWh in all.
    assert.deepEqual(shown(bill), [
      ['energy', 360, 0.8, 288], // 360 x 0.80
      ['fee', 0.4839, 49, 23.71], // 15 of 31 days: 49 x 15 / 31 = 23.7097
      ['energy', 383, 0.75, 287.25], // 383 x 0.75
      ['fee', 0.5161, 31, 16], // 16 of 31 days: 31 x 16 / 31
      ['energy_tax', 743, 0.36, 267.48], // 743 x 0.36
      ['vat', 882.44, 0.25, 220.61], // 288 + 23.71 + 287.25 + 16 + 267.48 = 882.44
    ]);
    assert.equal(bill.total, 1103.05); // 882.44 + 220.61
    assert.deepEqual(
      linesOf(bill, 'fee').map(({ from, to }) => [from, to]),
      [
        ['2026-03-01', '2026-03-16'],
        ['2026-03-16', '2026-04-01'],
      ],
    );
  });

  test('export with an adjustment, grid benefit, and a tax reduction that ends with the year', async () => {
    const sold = { export_grid_benefit_per_kwh: 0.05 };
    const contracts: ContractPeriod[] = [
      {
        valid_from: '2025-06-01',
        pricing: 'spot',
        ...sold,
        export: { pricing: 'spot', adjustment_per_kwh: -0.02 },
        tax_reduction: { per_kwh: 0.6, max_kwh_per_year: 30_000 },
      },
      { valid_from: '2026-01-01', pricing: 'spot', ...sold, export: { pricing: 'fixed', price_per_kwh: 0.45 } },
    ];
    const intervals = localHours('2025-12-01', '2026-02-01', (hour) =>
      isDay(hour) ? { import_kwh: 0, export_kwh: 3 } : { import_kwh: 1 },
    );
    const bill = await makeBill({ area: 'SE3', contracts, intervals }, knownMarket({ spot: dayAndNight }));
    // Each month has 31 nights of 12 kWh imported, 372 kWh, and 31 days of 36 kWh exported, 1116 kWh.
    assert.deepEqual(shown(bill), [
      ['spot', 372, 0.2, 74.4], // 372 x 0.20
      ['spot', 372, 0.2, 74.4],
      ['energy_tax', 372, 0.439, 163.31], // 372 x 0.439 = 163.308, the rate of 2025
      ['energy_tax', 372, 0.36, 133.92], // 372 x 0.36, the rate of 2026
      ['vat', 446.03, 0.25, 111.51], // 74.40 + 74.40 + 163.31 + 133.92 = 446.03; a quarter is 111.5075
      ['export', 1116, -0.48, -535.68], // 1116 x (0.50 - 0.02)
      ['compensation', 1116, -0.05, -55.8], // 1116 x 0.05
      ['tax_reduction', 372, -0.6, -223.2], // no more than the 372 kWh imported: 372 x 0.60
      ['export', 1116, -0.45, -502.2], // 1116 x 0.45
      ['compensation', 1116, -0.05, -55.8],
    ]);
    assert.equal(bill.total, -815.14); // 446.03 + 111.51 - 535.68 - 55.80 - 223.20 - 502.20 - 55.80
  });

  test('Norwegian support lowers the price before VAT, by the hour', async () => {
    // 1.20 NOK from 8 to 20, 0.20 NOK at night. The threshold of 2026 is 0.77 NOK.
    const spot = (hour: number): number => (isDay(hour) ? 120 : 20);
    const contracts: ContractPeriod[] = [
      { valid_from: '2026-01-01', pricing: 'spot', support: 'stromstotte', vat_percent: 25 },
    ];
    const intervals = localHours('2026-02-01', '2026-02-11', () => ({ import_kwh: 1 }));
    const bill = await makeBill({ area: 'NO1', contracts, intervals }, knownMarket({ spot }));
    const energy = linesOf(bill, 'spot')[0];
    assert.deepEqual([energy?.quantity, energy?.amount], [240, 168]); // 120 x 1.20 + 120 x 0.20
    const [support] = linesOf(bill, 'support');
    assert.deepEqual([support?.quantity, support?.price, support?.amount], [120, -0.387, -46.44]); // 120 x 0.9 x 0.43
    const base = bill.lines.filter(({ kind }) => kind !== 'vat').reduce((sum, { amount }) => sum + amount, 0);
    assert.equal(linesOf(bill, 'vat')[0]?.quantity, Math.round(base * 100) / 100);
    assertAddsUp(bill);
  });
});

suite('contracts within a bill', () => {
  const hour = { import_kwh: 1 };

  test('a change of the supplier does not split the peaks of the month; a change of the tariff does', async () => {
    const intervals = localHours('2026-04-01', '2026-05-01', (at, date) =>
      at === 18 && ['2026-04-03', '2026-04-10', '2026-04-23'].includes(date) ? { import_kwh: 6 } : hour,
    );
    const of = (tariff_id?: string): Promise<Bill> => {
      const contracts: ContractPeriod[] = [
        { valid_from: '2026-01-01', pricing: 'spot' },
        { valid_from: '2026-04-16', pricing: 'spot', ...(tariff_id && { tariff_id }) },
      ];
      const asked = { area: 'SE3', tariff_id: threePeaks, contracts, intervals };
      return makeBill(asked, knownMarket({ spot: dayAndNight }));
    };
    const same = await of();
    assert.deepEqual(
      linesOf(same, 'power').map(({ quantity, amount }) => [quantity, amount]),
      [[6, 240]],
    );
    assert.equal(linesOf(same, 'spot').length, 2);
    const other = await of(dearer);
    // 15 of 30 days each: (6 + 6 + 1) / 3 kW x 40 / 2, then (6 + 1 + 1) / 3 kW x 80 / 2.
    assert.deepEqual(
      linesOf(other, 'power').map(({ quantity, price, share, amount }) => [quantity, price, share, amount]),
      [
        [4.3333, 40, 0.5, 86.67],
        [2.6667, 80, 0.5, 106.67],
      ],
    );
    assert.deepEqual(
      linesOf(other, 'fixed').map(({ from, to, amount }) => [from, to, amount]),
      [
        ['2026-04-01', '2026-04-16', 100],
        ['2026-04-16', '2026-05-01', 200],
      ],
    );
    assert.equal(other.tariff_id, dearer, 'the one at the end');
    assertAddsUp(other);
  });

  test('time before the first contract has no markup; each rate of VAT has its line', async () => {
    const contracts: ContractPeriod[] = [
      { valid_from: '2026-04-16', pricing: 'spot', markup_per_kwh: 0.1, vat_percent: 6 },
    ];
    const intervals = localHours('2026-04-15', '2026-04-17', () => hour);
    const bill = await makeBill({ area: 'SE3', contracts, intervals }, knownMarket({ spot: () => 100 }));
    // Each day: 24 x 1.00 spot and 24 x 0.36 = 8.64 tax; the second day has 24 x 0.10 markup.
    assert.deepEqual(shown(bill), [
      ['spot', 24, 1, 24],
      ['spot', 24, 1, 24],
      ['markup', 24, 0.1, 2.4],
      ['energy_tax', 24, 0.36, 8.64],
      ['energy_tax', 24, 0.36, 8.64],
      ['vat', 32.64, 0.25, 8.16],
      ['vat', 35.04, 0.06, 2.1], // 35.04 x 0.06 = 2.1024
    ]);
  });

  test('both days of a clock change have their hours, and days begin at local midnight', async () => {
    for (const [from, to, hours] of [
      ['2026-03-29', '2026-03-30', 23],
      ['2026-10-25', '2026-10-26', 25],
    ] as const) {
      const contracts: ContractPeriod[] = [
        { valid_from: '2026-01-01', pricing: 'spot' },
        { valid_from: from, pricing: 'fixed', fixed_price_per_kwh: 1 },
        { valid_from: to, pricing: 'spot' },
      ];
      const intervals = localHours(from.replace(/..$/, '20'), from.replace(/-..$/, '-31'), () => hour);
      const bill = await makeBill({ area: 'SE3', contracts, intervals }, knownMarket({ spot: dayAndNight }));
      assert.deepEqual(
        linesOf(bill, 'energy').map(({ quantity, amount }) => [quantity, amount]),
        [[hours, hours]],
      );
    }
  });

  test('a time zone of the request decides when a contract begins', async () => {
    const contracts: ContractPeriod[] = [
      { valid_from: '2026-04-16', pricing: 'fixed', fixed_price_per_kwh: 1, monthly_fee: 30 },
    ];
    const intervals = localHours('2026-04-15', '2026-04-16', () => hour);
    const asked = { area: 'FI', contracts, intervals, timezone: 'Europe/Helsinki' };
    const bill = await makeBill(asked, knownMarket({ spot: dayAndNight }));
    assert.equal(linesOf(bill, 'energy')[0]?.quantity, 1, 'the last hour in Stockholm is the first one in Helsinki');
    assert.deepEqual([linesOf(bill, 'fee')[0]?.quantity, linesOf(bill, 'fee')[0]?.amount], [0.0333, 1]);
  });
});

suite('prices that are not published', () => {
  const ask = (changes: object = {}, now = '2026-04-20T10:00Z') => {
    const intervals = localHours('2026-04-19', '2026-04-24', () => ({ import_kwh: 1 }));
    const deps = knownMarket({ spot: dayAndNight, unknownFrom: '2026-04-21', now });
    return makeBill({ area: 'SE3', intervals, assume_unknown_prices: true, ...changes }, deps);
  };

  test('are assumed to be those of the same time of day', async () => {
    const bill = await ask();
    assert.equal(bill.metadata.assumed_prices, '2026-04-20T22:00:00.000Z');
    assert.match(bill.metadata.provider, /Known, Assumed/);
    assert.equal(linesOf(bill, 'spot')[0]?.amount, 42); // 5 days of 12 x 0.50 + 12 x 0.20
    assert.ok(bill.metadata.notes.some((note) => /mean of the last 14 known days/.test(note)));
  });

  test('are refused unless the request allows it', async () => {
    await assert.rejects(ask({ assume_unknown_prices: false }), { code: 'not_found' });
  });

  test('are not assumed for a past day whose source fails', async () => {
    const { prices, ...deps } = knownMarket({ spot: dayAndNight, unknownFrom: '2026-04-21', now: '2026-05-20T10:00Z' });
    const failing = { ...prices, day: () => Promise.reject(new Problem('unavailable', 'No source answers.')) };
    const intervals = localHours('2026-04-19', '2026-04-24', () => ({ import_kwh: 1 }));
    const asked = { area: 'SE3', intervals, assume_unknown_prices: true };
    await assert.rejects(makeBill(asked, { ...deps, prices: failing }), { code: 'unavailable' });
  });
});

suite('the next peak', () => {
  const until = (to: string, peaks: Record<string, number>) => {
    const intervals = localHours('2026-04-01', to, (hour, date) => ({
      import_kwh: hour === 18 ? (peaks[date] ?? 1) : 1,
    }));
    const asked = { area: 'SE3', tariff_id: threePeaks, intervals };
    return makeBill(asked, knownMarket({ spot: dayAndNight }));
  };

  test('costs from the lowest counted peak on, its share of the price with VAT', async () => {
    const { next_peak } = await until('2026-04-10', { '2026-04-02': 7, '2026-04-05': 6, '2026-04-08': 5 });
    assert.deepEqual(next_peak, { above_kw: 5, cost_per_kw: 16.666667 }); // 40 / 3 x 1.25
  });

  test('of a day that already has a counted peak is above that one', async () => {
    const intervals = localHours('2026-04-01', '2026-04-10', (hour, date) => ({
      import_kwh: hour === 18 ? ({ '2026-04-02': 7, '2026-04-05': 6, '2026-04-09': 8 }[date] ?? 1) : 1,
    })).slice(0, -2); // it is 22 o'clock
    const asked = { area: 'SE3', tariff_id: threePeaks, intervals };
    const { next_peak } = await makeBill(asked, knownMarket({ spot: dayAndNight }));
    assert.equal(next_peak?.above_kw, 8);
  });

  test('counts from zero while there are fewer days than peaks', async () => {
    assert.equal((await until('2026-04-03', { '2026-04-02': 7 })).next_peak?.above_kw, 0);
  });

  test('is absent without a power charge', async () => {
    const intervals = localHours('2026-04-01', '2026-04-02', () => ({ import_kwh: 1 }));
    assert.ok(!('next_peak' in (await makeBill({ area: 'SE3', intervals }, knownMarket({ spot: dayAndNight })))));
  });
});
