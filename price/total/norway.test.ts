import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Bill, BillLine } from '#contract/price/total.ts';
import { readShipped } from '../tariffs/testing/tariffs.ts';
import { makeBill } from './bill.ts';
import { knownMarket, localHours } from './testing/known-market.ts';

const book = (await readShipped()).book();
const deps = { ...knownMarket({ spot: () => 50 }), book: () => book }; // 0.5 NOK

const idOf = (provider: string, from?: string): string => {
  const lists = book.findProvider(provider)?.tariffs.filter(({ product }) => product === 'husholdning') ?? [];
  const found = from === undefined ? lists[0] : lists.find(({ validPeriod }) => validPeriod.fromIncluding === from);
  assert.ok(found, provider);
  return found.id;
};

const bill = (tariff_id: string, intervals: ReturnType<typeof localHours>, area = 'NO1'): Promise<Bill> =>
  makeBill({ area, tariff_id, intervals }, deps);

const linesOf = ({ lines }: Bill, kind: BillLine['kind']) =>
  lines
    .filter((line) => line.kind === kind)
    .map(({ name, quantity, price, amount }) => [name, quantity, price, amount] as const);

/** Uses 1 kWh each hour, and more in some hours of July 2026. */
const july = (peaks: Record<string, number>) =>
  localHours('2026-07-01', '2026-08-01', (hour, date) => ({ import_kwh: peaks[`${date} ${hour}`] ?? 1 }));

suite('a bill in Norway', () => {
  test('of Elvia in July 2026 has working days, nights, taxes, a capacity step and VAT', async () => {
    // 23 working days of 16 hours: 368 kWh at 0.2899; the other 376 kWh at 0.1699
    const found = await bill(idOf('no_elvia', '2026-07-01'), july({}));
    assert.equal(found.currency, 'NOK');
    assert.deepEqual(linesOf(found, 'grid_energy'), [
      ['Energiledd', 376, 0.1699, 63.88],
      ['Energiledd, virkedag', 368, 0.2899, 106.68],
    ]);
    assert.deepEqual(linesOf(found, 'energy_tax'), [
      ['Elavgift', 744, 0.0713, 53.05],
      ['Enova-avgift', 744, 0.01, 7.44],
    ]);
    assert.deepEqual(linesOf(found, 'power'), [['Kapasitetsledd 0–2 kW', 1, 120, 120]]); // 1440 per year
    // 372 of spot, 170.56 of energy, 60.49 of taxes and 120 of capacity are 723.05
    assert.deepEqual(linesOf(found, 'vat'), [['VAT 25 %', 723.05, 0.25, 180.76]]);
    assert.equal(found.total, 903.81);
    assert.deepEqual(found.metadata.notes, []);
  });

  test('the list of June is cheaper, and a tariff chosen then continues as that of July', async () => {
    const id = idOf('no_elvia', '2025-04-01');
    const june = await bill(
      id,
      localHours('2026-06-01', '2026-07-01', () => ({ import_kwh: 1 })),
    );
    assert.deepEqual(
      linesOf(june, 'power').map(([name, , price]) => [name, price]),
      [['Kapasitetsledd 0–2 kW', 100]],
    );
    assert.deepEqual(linesOf(await bill(id, july({})), 'power')[0]?.slice(2), [120, 120]);
  });

  test('17 May and Maundy Thursday are holidays', async () => {
    const id = idOf('no_elvia', '2025-04-01');
    for (const [day, next, kwh] of [
      ['2025-05-16', '2025-05-17', 16], // a Friday
      ['2027-05-17', '2027-05-18', 0], // a Monday, after the list has ended
      ['2026-04-02', '2026-04-03', 0],
    ] as const) {
      const found = await bill(
        id,
        localHours(day, next, () => ({ import_kwh: 1 })),
      );
      const [working] = linesOf(found, 'grid_energy').filter(([name]) => name.endsWith('virkedag'));
      assert.equal(working?.[1] ?? 0, kwh, day);
    }
  });

  for (const { says, operator, peaks, step } of [
    {
      says: 'three different days count, whatever the hours of one of them',
      operator: 'no_elvia',
      peaks: { '2026-07-03 8': 9, '2026-07-03 9': 9, '2026-07-03 10': 9, '2026-07-04 8': 3, '2026-07-09 3': 2.7 },
      step: 'Kapasitetsledd 2–5 kW', // the mean is 4.9
    },
    {
      says: 'a mean equal to a threshold is in the step above it',
      operator: 'no_elvia',
      peaks: { '2026-07-03 8': 6, '2026-07-04 8': 5, '2026-07-09 3': 4 },
      step: 'Kapasitetsledd 5–10 kW',
    },
    {
      says: 'a mean equal to a threshold is in the step below it where the operator counts so',
      operator: 'no_bindalkraftlag',
      peaks: { '2026-07-03 8': 6, '2026-07-04 8': 5, '2026-07-09 3': 4 },
      step: 'Kapasitetsledd 0–5 kW',
    },
    {
      says: 'the highest hour of the month alone counts where the operator says so',
      operator: 'no_soraurdalenergi',
      peaks: { '2026-07-03 8': 9 },
      step: 'Kapasitetsledd 8–15 kW',
    },
    {
      says: 'the last step has no end',
      operator: 'no_elvia',
      peaks: { '2026-07-03 8': 200, '2026-07-04 8': 200, '2026-07-09 3': 200 },
      step: 'Kapasitetsledd fra 100 kW',
    },
  ]) {
    test(says, async () => {
      const found = await bill(idOf(operator, operator === 'no_elvia' ? '2026-07-01' : undefined), july(peaks));
      assert.deepEqual(
        linesOf(found, 'power').map(([name]) => name),
        [step],
      );
    });
  }

  test('half a month costs half a step, and the peaks are listed', async () => {
    const intervals = july({ '2026-07-03 8': 9 }).slice(0, 15 * 24 + 12);
    const { lines } = await bill(idOf('no_elvia', '2026-07-01'), intervals);
    const power = lines.find(({ kind }) => kind === 'power');
    assert.deepEqual([power?.share, power?.amount], [0.5161, 103.23]); // 16 of 31 days; 200 per month
    assert.deepEqual(power?.peaks?.[0], { start: '2026-07-03T06:00:00.000Z', kw: 9 });
    assert.equal(power?.peaks?.length, 3);
  });

  test('in the north has no VAT, and in Finnmark no elavgift', async () => {
    const nordland = await bill(idOf('no_linea'), july({}), 'NO4');
    assert.equal(nordland.metadata.vat_percent, 0);
    assert.deepEqual(
      linesOf(nordland, 'energy_tax').map(([name]) => name),
      ['Elavgift', 'Enova-avgift'],
    );
    const finnmark = await bill(idOf('no_barentsnett'), july({}), 'NO4');
    assert.deepEqual(
      linesOf(finnmark, 'energy_tax').map(([name]) => name),
      ['Enova-avgift'],
    );
  });

  test('taxes change within 2025 and are assumed in 2027', async () => {
    const tax = async (day: string, next: string) => {
      const found = await bill(
        idOf('no_arva'),
        localHours(day, next, () => ({ import_kwh: 1 })),
        'NO4',
      );
      return [
        linesOf(found, 'energy_tax')[0]?.[2],
        found.metadata.notes.some((note) => /energy tax of 2027/.test(note)),
      ];
    };
    assert.deepEqual(await tax('2025-03-31', '2025-04-01'), [0.0979, false]);
    assert.deepEqual(await tax('2025-04-01', '2025-04-02'), [0.1693, false]);
    assert.deepEqual(await tax('2025-10-01', '2025-10-02'), [0.1253, false]);
    assert.deepEqual(await tax('2026-12-31', '2027-01-01'), [0.0713, false]);
    assert.deepEqual(await tax('2027-01-01', '2027-01-02'), [0.0713, true]);
  });

  for (const [operator, method] of [
    ['no_fjellnett', 'FEM_VEKTET_ÅR'],
    ['no_alut', 'OV_TREFASE'],
    ['no_tinfos', 'UKJENT'],
  ] as const) {
    test(`with the method ${method} is refused by its name`, async () => {
      await assert.rejects(bill(idOf(operator), july({})), (error: Error & { status?: number }) => {
        assert.equal(error.status, 422);
        return error.message.includes(method);
      });
    });
  }
});

test('every Norwegian operator has one energy price at every hour of a year', () => {
  const norwegian = book.providers.filter(({ country }) => country === 'NO');
  assert.equal(norwegian.length, 74);
  assert.equal(norwegian.flatMap(({ tariffs }) => tariffs).length, 96);
  for (const { id, tariffs, source } of norwegian) {
    assert.match(source?.licence ?? '', /CC-BY-4\.0.*Fri nettleie/, id);
    for (const tariff of tariffs) {
      assert.deepEqual([tariff.timeZone, tariff.powerPrice.components], ['Europe/Oslo', []]);
      for (let hour = 0; hour < 365 * 24; hour += 13) {
        const [date = '', time = ''] = new Date(Date.UTC(2026, 0, 1, hour)).toISOString().slice(0, 19).split('T');
        if (date < tariff.validPeriod.fromIncluding || date >= tariff.validPeriod.toExcluding) continue;
        const active = book.active(tariff, 'energyPrice', { date, time });
        assert.equal(active.length, 1, `${id} ${tariff.name} ${date} ${time}`);
      }
    }
  }
});
