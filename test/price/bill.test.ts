import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Bill, BillLine, TotalInterval } from '#contract/price/total.ts';
import { assertAddsUp, cents, december, decemberLoad, linesOf } from './december.ts';
import { hoursFrom, openPrice, type TestPrice } from './open-price.ts';

const ellevio = 'bcf661b4-9bad-5b0f-bc71-350a35023c36';
const karlstad = '7a53c569-4537-5e9a-8903-0084760c1105'; // no list of 2026 is known
const oneHour = hoursFrom('2025-12-10T08:00:00Z', [1]);

suite('the bill of a month', () => {
  let price: TestPrice;
  let bill: Bill;
  const intervals = decemberLoad({
    '2025-12-03T18:00': 6,
    '2025-12-03T19:00': 5.5, // of the same day as a higher one
    '2025-12-10T02:00': 10, // at night, counts half
    '2025-12-12T08:00': 4,
    '2025-12-20T23:00': 7, // at night, counts 3.5
  });
  before(async () => {
    price = await openPrice();
    const { status, body } = await price.post('/price/bill', {
      area: 'SE3',
      tariff_id: ellevio,
      markup: 0.05,
      intervals,
    });
    assert.equal(status, 200, JSON.stringify(body));
    bill = body;
  });
  after(() => price[Symbol.asyncDispose]());

  const kwh = intervals.reduce((sum, { import_kwh }) => sum + import_kwh, 0);

  test('adds up', () => assertAddsUp(bill));

  test('has the energy at the prices of the tariff', () => {
    const told = (kind: BillLine['kind']) =>
      linesOf(bill, kind).map(({ quantity, price: each, amount }) => [quantity, each, amount]);
    assert.deepEqual(told('grid_energy'), [[kwh, 0.05, cents(kwh * 0.05) / 100]]);
    assert.deepEqual(told('energy_tax'), [[kwh, 0.439, cents(kwh * 0.439) / 100]]);
    assert.deepEqual(told('markup'), [[kwh, 0.05, cents(kwh * 0.05) / 100]]);
    assert.deepEqual(told('fixed'), [[1, 292, 292]]);
  });

  test('has the spot cost of every hour', async () => {
    const { body } = await price.get(`/price/total?area=SE3&from=2025-12-01&to=2026-01-01`);
    const cost = (body.intervals as TotalInterval[]).reduce(
      (sum, { parts }, n) => sum + parts[0]!.amount * intervals[n]!.import_kwh,
      0,
    );
    const [spot] = linesOf(bill, 'spot');
    assert.ok(Math.abs(spot!.amount - cost) < 0.006);
    assert.ok(Math.abs(spot!.price - cost / kwh) < 1e-6);
  });

  test('charges the mean of the three highest days, nights by half, and lists the peaks', () => {
    const [power, ...others] = linesOf(bill, 'power');
    assert.deepEqual(others, []);
    assert.deepEqual(power, {
      kind: 'power',
      name: 'Effektavgift',
      from: '2025-12-01',
      to: '2026-01-01',
      quantity: 5,
      unit: 'kW',
      price: 65,
      amount: 325,
      peaks: [
        { start: '2025-12-03T17:00:00.000Z', kw: 6 },
        { start: '2025-12-10T01:00:00.000Z', kw: 10, counted_kw: 5 },
        { start: '2025-12-12T07:00:00.000Z', kw: 4 },
      ],
    });
  });

  test('has 25 % VAT on all of it', () => {
    const [vat] = linesOf(bill, 'vat');
    const base = bill.lines.filter(({ kind }) => kind !== 'vat').reduce((sum, { amount }) => sum + cents(amount), 0);
    assert.deepEqual([cents(vat!.quantity), vat!.price, cents(vat!.amount)], [base, 0.25, Math.round(base / 4)]);
  });

  test('names its sources', () => {
    const { provider, is_simulated, from, to, total_points, import_kwh } = bill.metadata;
    assert.deepEqual(
      [provider, is_simulated, from, to, total_points, import_kwh],
      ['Simulated market', true, '2025-11-30T23:00:00.000Z', '2025-12-31T23:00:00.000Z', 744, kwh],
    );
  });

  test('is the same from quarter-hours and from CSV', async () => {
    const quarters = intervals.flatMap(({ start, import_kwh }) =>
      [0, 1, 2, 3].map((n) => ({
        start: new Date(Date.parse(start) + n * 900_000).toISOString(),
        import_kwh: import_kwh / 4,
      })),
    );
    const terms = `area=SE3&tariff_id=${ellevio}&markup=0.05`;
    const { body: fromQuarters } = await price.post(`/price/bill?${terms}`, { intervals: quarters });
    assert.deepEqual([fromQuarters.total, linesOf(fromQuarters, 'power')], [bill.total, linesOf(bill, 'power')]);
    const csv = ['start,import_kwh', ...intervals.map(({ start, import_kwh }) => `${start},${import_kwh}`)].join('\n');
    assert.deepEqual((await price.post(`/price/bill?${terms}`, csv, 'text/csv')).body, bill);
    const swedish = [
      'start;import_kwh',
      ...intervals.map(({ start, import_kwh }) => `${start};${String(import_kwh).replace('.', ',')}`),
    ];
    assert.deepEqual(
      (await price.post(`/price/bill?${terms}`, swedish.join('\r\n'), 'text/csv; charset=utf-8')).body,
      bill,
    );
  });

  for (const [unit, ms] of [
    ['seconds', 1000],
    ['milliseconds', 1],
  ] as const) {
    test(`is the same from Unix ${unit}, as numbers or as text`, async () => {
      for (const write of [Number, String]) {
        const dated = intervals.map(({ start, import_kwh }) => ({
          start: write(Date.parse(start) / ms),
          end: write((Date.parse(start) + 3_600_000) / ms),
          import_kwh,
        }));
        const { body } = await price.post('/price/bill', {
          area: 'SE3',
          tariff_id: ellevio,
          markup: 0.05,
          intervals: dated,
        });
        assert.deepEqual(body, bill);
      }
    });
  }

  test('credits exports at the spot price, without VAT', async () => {
    const sold = intervals.map((interval) => ({ ...interval, export_kwh: interval.import_kwh }));
    const { body } = await price.post('/price/bill', {
      area: 'SE3',
      tariff_id: ellevio,
      markup: 0.05,
      intervals: sold,
    });
    assertAddsUp(body);
    assert.equal(linesOf(body, 'export')[0]!.amount, -linesOf(bill, 'spot')[0]!.amount);
    assert.equal(linesOf(body, 'vat')[0]!.amount, linesOf(bill, 'vat')[0]!.amount);
  });

  test('tells how much was exported, and how it is paid', async () => {
    const load = hoursFrom('2025-12-10T08:00:00Z', [1, 2]).map((hour) => ({ ...hour, export_kwh: 1.5 }));
    const { body } = await price.post('/price/bill', { area: 'SE3', intervals: load });
    assert.deepEqual([linesOf(body, 'export')[0]!.quantity, body.metadata.export_kwh], [3, 3]);
    assert.ok(body.metadata.notes.some((note: string) => note.startsWith('Exported energy is paid at the spot price')));
    assert.ok(!bill.metadata.notes.some((note) => note.startsWith('Exported')));
  });

  test('without a tariff, a markup or a known VAT has the spot price alone', async () => {
    const load = hoursFrom('2025-12-10T08:00:00Z', [1, 2]);
    const { body } = await price.post('/price/bill', { area: 'DE-LU', intervals: load });
    assert.deepEqual(
      (body as Bill).lines.map(({ kind }) => kind),
      ['spot'],
    );
    assertAddsUp(body);
  });

  test('of nothing has no price per kWh, and the fixed fees', async () => {
    const { body } = await price.post('/price/bill', {
      area: 'SE3',
      tariff_id: ellevio,
      intervals: hoursFrom('2025-12-10T08:00:00Z', [0, 0]),
    });
    const [spot] = linesOf(body, 'spot');
    assert.deepEqual([spot!.quantity, spot!.price, spot!.amount], [0, 0, 0]);
    assert.equal(linesOf(body, 'fixed').length, 1);
    assertAddsUp(body);
  });

  test('spans at most 400 days, not an hour more', async () => {
    const load = [...hoursFrom('2024-12-01T00:00:00Z', [1]), ...hoursFrom('2026-01-05T00:00:00Z', [1])];
    const { body } = await price.post('/price/bill', { area: 'SE3', intervals: load });
    assert.match(body.detail, /400 days/);
  });

  test('of half a month charges half the fees', async () => {
    const { body } = await price.post('/price/bill', {
      area: 'SE3',
      tariff_id: ellevio,
      intervals: intervals.slice(0, 15 * 24),
    });
    const [fixed] = linesOf(body, 'fixed');
    assert.deepEqual([fixed!.quantity, fixed!.amount], [0.4839, cents((292 * 15) / 31) / 100]);
    const [power] = linesOf(body, 'power');
    assert.deepEqual([power!.quantity, power!.share, power!.amount], [5, 0.4839, cents((5 * 65 * 15) / 31) / 100]);
  });

  test('of an expired tariff uses its last known prices, and names those days', async () => {
    const validPeriod = { fromIncluding: '2025-01-01', toExcluding: '2026-01-01' };
    const bill = async (start: string) =>
      (await price.post('/price/bill', { area: 'SE3', tariff_id: karlstad, intervals: hoursFrom(start, [1, 2]) })).body;
    const [before, after] = [await bill('2025-12-10T08:00:00Z'), await bill('2026-01-14T08:00:00Z')];
    const pricesOf = ({ lines }: { lines: BillLine[] }) =>
      lines
        .filter(({ kind }) => ['grid_energy', 'fixed', 'power'].includes(kind))
        .map(({ name, price: each, unit }) => [name, each, unit]);
    assert.deepEqual(pricesOf(after), pricesOf(before));
    assert.deepEqual([before.metadata.assumed, after.metadata.assumed], [undefined, true]);
    assert.deepEqual(after.metadata.assumed_tariffs[0].validPeriod, validPeriod);
  });

  for (const { title, body, type, status } of [
    { title: 'nothing at all', body: '', status: 400 },
    { title: 'no load', body: { area: 'SE3', intervals: [] }, status: 422 },
    { title: 'no area', body: { intervals: intervals.slice(0, 2) }, status: 422 },
    { title: 'an unknown field', body: { area: 'SE3', intervals: intervals.slice(0, 2), colour: 1 }, status: 400 },
    {
      title: 'an unknown field of an interval',
      body: { area: 'SE3', intervals: [{ ...intervals[0], w: 1 }] },
      status: 400,
    },
    { title: 'a time before all', body: { area: 'SE3', intervals: [{ start: -1, import_kwh: 1 }] }, status: 422 },
    { title: 'a time after all', body: { area: 'SE3', intervals: [{ start: 1e21, import_kwh: 1 }] }, status: 422 },
    { title: 'an invalid time', body: { area: 'SE3', intervals: [{ start: true, import_kwh: 1 }] }, status: 422 },
    { title: 'negative energy', body: { area: 'SE3', intervals: [{ ...intervals[0], import_kwh: -1 }] }, status: 422 },
    {
      title: 'endless energy',
      body: `{"area":"SE3","intervals":[{"start":"${december}","import_kwh":1e999}]}`,
      status: 422,
    },
    { title: 'broken JSON', body: '{"area":', status: 400 },
    { title: 'bytes that are not text', body: '\xff\xfe'.repeat(3), type: 'text/csv', status: 422 },
    { title: 'XML', body: '<load/>', type: 'application/xml', status: 415 },
    {
      title: 'hours without a price yet',
      body: { area: 'SE3', intervals: hoursFrom('2026-01-20T00:00:00Z', [1]) },
      status: 404,
    },
    {
      title: 'two years',
      body: {
        area: 'SE3',
        intervals: [...hoursFrom('2024-01-20T00:00:00Z', [1]), ...hoursFrom('2026-01-12T00:00:00Z', [1])],
      },
      status: 422,
    },
    {
      title: 'a tariff of a later year',
      body: { area: 'SE3', tariff_id: ellevio, intervals: hoursFrom('2024-12-12T00:00:00Z', [1]) },
      status: 422,
    },
    {
      title: 'a tariff of the last hours alone',
      body: { area: 'SE3', tariff_id: ellevio, intervals: hoursFrom('2024-12-31T22:00:00Z', [1, 1]) },
      status: 422,
    },
    {
      title: 'a contract of an impossible day',
      body: { area: 'SE3', contracts: [{ valid_from: '2026-02-31', pricing: 'spot' }], intervals: oneHour },
      status: 422,
    },
    {
      title: 'a contract without its fixed price',
      body: { area: 'SE3', contracts: [{ valid_from: '2025-02-01', pricing: 'fixed' }], intervals: oneHour },
      status: 422,
    },
    {
      title: 'a markup beside contracts',
      body: { area: 'SE3', markup: 1, contracts: [{ valid_from: '2025-02-01', pricing: 'spot' }], intervals: oneHour },
      status: 422,
    },
    {
      title: 'an unknown field of a contract',
      body: { area: 'SE3', contracts: [{ valid_from: '2025-02-01', pricing: 'spot', fee: 1 }], intervals: oneHour },
      status: 400,
    },
    {
      title: 'an unknown tariff of a contract',
      body: {
        area: 'SE3',
        contracts: [{ valid_from: '2025-02-01', pricing: 'spot', tariff_id: 'x' }],
        intervals: oneHour,
      },
      status: 404,
    },
    { title: 'an unknown time zone', body: { area: 'SE3', timezone: 'Mars/Base', intervals: oneHour }, status: 422 },
    { title: 'seven megabytes', body: `{"area":"${'x'.repeat(7e6)}"}`, status: 413 },
  ]) {
    test(`${title} is refused with ${status}`, async () => {
      const { status: answered, body: problem } = await price.post('/price/bill', body, type);
      assert.equal(answered, status, JSON.stringify(problem));
      assert.ok(problem.detail);
    });
  }
});
