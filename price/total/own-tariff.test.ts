import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import type { BillLine } from '#contract/price/total.ts';
import { decemberLoad } from '#test/price/december.ts';
import { hoursFrom, openPrice, type TestPrice } from '#test/price/open-price.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

type Year = {
  number: number;
  valid: [string, string];
  energy: number;
  power: number;
  fixed?: number;
  peakFunction?: string;
  /** names of the hours in which peaks are found; all hours by default */
  peakHours?: string;
};

/** A price list that uses the same component names every year, as some operators do. */
function tariffOf({ number, valid, energy, power, fixed = 0, peakFunction = 'peak(main)', peakHours }: Year) {
  const validPeriod = { fromIncluding: valid[0], toExcluding: valid[1] };
  const price = (exVat: number) => ({ priceExVat: exVat, priceIncVat: exVat * 1.25, currency: 'SEK' });
  const component = (n: number, exVat: number) => ({ id: id(n), name: 'Avgift', validPeriod, price: price(exVat) });
  const peakIdentificationSettings = {
    peakFunction,
    peakIdentificationPeriod: 'P1D',
    peakDuration: 'PT1H',
    numberOfPeaksForAverageCalculation: 1,
  };
  const recurringPeriods = peakHours && [
    { reference: peakHours, activePeriods: [{ fromIncluding: '06:00', toExcluding: '22:00' }] },
  ];
  const peak = { ...component(93, power), peakIdentificationSettings, ...(recurringPeriods && { recurringPeriods }) };
  return {
    id: id(number),
    name: 'Villa 20 A',
    product: 'villa',
    validPeriod,
    timeZone: 'Europe/Stockholm',
    lastUpdated: '2025-01-01T00:00:00',
    companyName: 'Eget Nät AB',
    fixedPrice: { id: id(94), name: 'Fast', components: [{ ...component(95, fixed), pricedPeriod: 'P1M' }] },
    energyPrice: { id: id(90), name: 'Energi', components: [component(91, energy)] },
    powerPrice: { id: id(92), name: 'Effekt', components: [peak] },
  };
}

async function openOwn(t: TestContext, years: readonly Year[]): Promise<TestPrice> {
  const folder = temporaryFolder(t);
  await writeFile(join(folder, 'eget_nat.json'), JSON.stringify({ tariffs: years.map(tariffOf) }));
  return openPrice({ TARIFF_DIR: folder });
}

const first = { number: 1, valid: ['2024-10-01', '2026-01-01'], energy: 0.2, power: 30 } satisfies Year;
const second = { number: 2, valid: ['2026-01-01', '2027-01-01'], energy: 0.3, power: 40 } satisfies Year;

suite('an own tariff file', () => {
  test('may reuse component names in two years: each year has its own prices', async (t) => {
    await using price = await openOwn(t, [first, second]);
    const intervals = hoursFrom('2025-12-31T21:00:00Z', [1, 2, 4, 8]); // the clocks show the new year after two of them
    const { status, body } = await price.post('/price/bill', { area: 'SE3', tariff_id: id(1), intervals });
    assert.equal(status, 200, JSON.stringify(body));
    const told = (kind: BillLine['kind']) =>
      (body.lines as BillLine[])
        .filter((line) => line.kind === kind)
        .map(({ quantity, price: each }) => [quantity, each]);
    assert.deepEqual(told('grid_energy'), [
      [3, 0.2],
      [12, 0.3],
    ]);
    assert.deepEqual(told('power'), [
      [2, 30],
      [8, 40],
    ]);
  });

  test('may have an open-ended list beside that of the next year: each day is charged by one of them', async (t) => {
    await using price = await openOwn(t, [
      { ...first, valid: ['2024-10-01', '2999-12-31'], fixed: 100 },
      { ...second, valid: ['2025-12-11', '2999-12-31'], fixed: 200 },
    ]);
    const intervals = decemberLoad({});
    const { status, body } = await price.post('/price/bill', { area: 'SE3', tariff_id: id(2), intervals });
    assert.equal(status, 200, JSON.stringify(body));
    const told = (kind: BillLine['kind']) =>
      (body.lines as BillLine[]).filter((line) => line.kind === kind).map(({ amount }) => amount);
    assert.deepEqual(told('fixed'), [135.48, 32.26]);
    assert.deepEqual(told('power'), [27.1, 9.68]);
  });

  test('may have peak hours that its formula does not name: a note reports them, and they are not charged', async (t) => {
    await using price = await openOwn(t, [{ ...second, peakHours: 'high' }]);
    const intervals = hoursFrom('2026-01-10T10:00:00Z', [1, 2, 1]);
    const { body } = await price.post('/price/bill', { area: 'SE3', tariff_id: id(2), intervals });
    assert.ok(!(body.lines as BillLine[]).some(({ kind }) => kind === 'power'));
    assert.match(body.metadata.notes.join(' '), /"Avgift" .* is not included: .*peak\(main\).*high/);
  });

  test('may charge a minimum power: it replaces a smaller peak', async (t) => {
    await using price = await openOwn(t, [{ ...second, peakFunction: 'max(peak(main),3)' }]);
    const intervals = hoursFrom('2026-01-10T10:00:00Z', [1, 2, 1]);
    const { status, body } = await price.post('/price/bill', { area: 'SE3', tariff_id: id(2), intervals });
    assert.equal(status, 200, JSON.stringify(body));
    const [power] = (body.lines as BillLine[]).filter(({ kind }) => kind === 'power');
    assert.equal(power?.quantity, 3);
    assert.deepEqual(power?.peaks, [{ start: '2026-01-10T11:00:00.000Z', kw: 2, counted_kw: 3 }]);
  });

  test('may have two lists in a year: each time is charged by the list in force', async (t) => {
    await using price = await openOwn(t, [
      { ...first, valid: ['2024-10-01', '2025-10-01'] },
      { ...second, valid: ['2025-10-01', '2026-10-01'] },
    ]);
    const at = async (timestamp: string): Promise<number> =>
      (await price.get(`/price/power-tariff/eget_nat/calculate?timestamp=${timestamp}`)).body.final_price_per_kw;
    assert.equal(await at('2025-09-30T23:59:00'), 37.5);
    assert.equal(await at('2025-10-01T00:00:00'), 50);
    assert.equal(await at('2027-01-01T00:00:00'), 50, 'the newest, where none is in force');
  });

  test('may already contain an open-ended list of next year: the current rules apply', async (t) => {
    await using price = await openOwn(t, [
      second,
      { ...second, number: 3, valid: ['2027-01-01', '2999-12-31'], power: 60 },
    ]);
    const { body } = await price.get('/price/power-tariff/eget_nat/rules');
    assert.equal(body.pricing_rules.main.price_per_kw, 50);
    assert.ok(body.holidays.includes('2026-12-25'));
  });
});
