import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GroupName, Tariff } from './eltariff.ts';
import { readShipped } from './testing/tariffs.ts';

const tariffs = await readShipped();
const book = tariffs.book();

const find = (provider: string, product: string, year: number): Tariff => {
  const found = book
    .findProvider(provider)
    ?.tariffs.filter((tariff) => tariff.product === product)
    .find(
      ({ validPeriod: { fromIncluding, toExcluding } }) =>
        fromIncluding < `${year + 1}` && toExcluding > `${year}-01-01`,
    );
  assert.ok(found, `${provider} ${product}`);
  return found;
};

const pricesAt = (tariff: Tariff, group: GroupName, at: string, vat: 'priceExVat' | 'priceIncVat'): number[] => {
  const [date = '', time = ''] = at.split(' ');
  return book.active(tariff, group, { date, time }).map(({ price }) => price![vat]);
};

test('50 Swedish and 74 Norwegian providers have 518 tariffs', () => {
  assert.deepEqual(tariffs.errors(), []);
  const all = book.providers.flatMap((provider) => provider.tariffs);
  assert.equal(book.providers.length, 124);
  assert.equal(all.length, 518);
});

test('every provider names the source of its prices', () => {
  for (const { id, source } of book.providers) assert.ok(source && source.from.length > 0, id);
});

test('tariff ids are unique; components with the same id are equal', () => {
  const all = book.providers.flatMap((provider) => provider.tariffs);
  assert.equal(new Set(all.map(({ id }) => id)).size, 518);
  const components = all.flatMap(({ fixedPrice, energyPrice, powerPrice }) =>
    [fixedPrice, energyPrice, powerPrice].flatMap((group) => group.components),
  );
  const byId = new Map(components.map((component) => [component.id, component]));
  for (const component of components) assert.deepEqual(component, byId.get(component.id));
});

// Calculated by hand from the price lists: operator, product, group, local time, prices in force, with or without VAT.
const hand: [string, string, number, GroupName, string, number[], 'priceExVat' | 'priceIncVat'][] = [
  // 34.84 at all hours; 59.32 more on working days 06-18 from November to March
  ['karlstads_elnat', 'EFF-16-63A', 2025, 'powerPrice', '2025-12-10 08:30:00', [34.84, 59.32], 'priceExVat'],
  ['karlstads_elnat', 'EFF-16-63A', 2025, 'powerPrice', '2025-12-10 18:00:00', [34.84], 'priceExVat'],
  ['karlstads_elnat', 'EFF-16-63A', 2025, 'powerPrice', '2025-01-06 08:30:00', [34.84], 'priceExVat'], // Epiphany
  ['karlstads_elnat', 'EFF-16-63A', 2025, 'powerPrice', '2025-07-10 08:30:00', [34.84], 'priceExVat'],
  // one price, three peaks; raised for 2026
  ['goteborg_energi_nat', 'GNM63', 2025, 'powerPrice', '2025-07-01 03:00:00', [45], 'priceIncVat'],
  ['goteborg_energi_nat', 'GNM63', 2026, 'powerPrice', '2026-07-01 03:00:00', [49], 'priceIncVat'],
  ['goteborg_energi_nat', 'GN6KW', 2026, 'powerPrice', '2026-01-07 08:00:00', [135], 'priceIncVat'],
  // the same price day and night; at night a peak counts half
  ['ellevio', 'EFF-16-25A', 2025, 'powerPrice', '2025-02-03 12:00:00', [81.25], 'priceIncVat'],
  ['ellevio', 'EFF-16-25A', 2025, 'powerPrice', '2025-02-03 23:00:00', [81.25], 'priceIncVat'],
  ['ellevio', 'EFF-16-25A', 2025, 'fixedPrice', '2025-02-03 12:00:00', [365], 'priceIncVat'],
  ['ellevio', 'EFF-16-25A', 2025, 'energyPrice', '2025-02-03 12:00:00', [0.05, 0.439], 'priceExVat'],
  // 75 on working days 07-19 from November to March
  ['falu_elnat', 'EFF-16A', 2026, 'powerPrice', '2026-01-15 07:00:00', [75], 'priceIncVat'],
  ['falu_elnat', 'EFF-16A', 2026, 'powerPrice', '2026-01-15 19:00:00', [], 'priceIncVat'],
  ['falu_elnat', 'EFF-16A', 2026, 'powerPrice', '2026-01-17 12:00:00', [], 'priceIncVat'], // a Saturday
  ['falu_elnat', 'EFF-16A', 2026, 'powerPrice', '2026-04-01 12:00:00', [], 'priceIncVat'],
  ['falu_elnat', 'EFF-16A', 2026, 'powerPrice', '2026-11-16 12:00:00', [], 'priceIncVat'], // the list is over
  // 112, not the 28 of a flat, 07-20
  ['telge_elnat', 'EFF-16A', 2025, 'powerPrice', '2025-11-20 19:59:59', [112], 'priceIncVat'],
  ['telge_elnat', 'EFF-16A', 2025, 'powerPrice', '2025-11-20 20:00:00', [], 'priceIncVat'],
  ['telge_elnat', 'LGH-16A', 2025, 'powerPrice', '2025-11-20 12:00:00', [28], 'priceIncVat'],
  // a low-load price at all hours, and a high-load price 06-21 from December to February
  ['bergs_tingslags_elektriska', 'EFF-20A', 2026, 'powerPrice', '2026-01-15 20:00:00', [56.25, 158.75], 'priceIncVat'],
  ['bergs_tingslags_elektriska', 'EFF-20A', 2026, 'powerPrice', '2026-01-15 21:00:00', [56.25], 'priceIncVat'],
  ['bergs_tingslags_elektriska', 'EFF-20A', 2026, 'powerPrice', '2026-02-15 12:00:00', [53.75, 137.5], 'priceIncVat'],
  // 45 at all hours and 35 at high load; 3000 per year, not per month
  ['degerfors_elnat', 'EFF-16-63A', 2025, 'powerPrice', '2025-03-03 08:00:00', [45, 35], 'priceExVat'],
  // 632 per year
  ['ljusdal_elnat', 'EFF-80-200A', 2025, 'powerPrice', '2025-08-01 00:00:00', [632], 'priceExVat'],
  // every day 07-19, five peaks
  ['malung_salens_elnat', 'EFF-16A', 2025, 'powerPrice', '2025-12-25 18:00:00', [118.75], 'priceIncVat'],
  ['malung_salens_elnat', 'EFF-16A', 2025, 'powerPrice', '2025-06-01 18:00:00', [35], 'priceIncVat'],
  // 72 in summer, 94 in winter
  ['sevab_nat', 'EFF-80-200A', 2025, 'powerPrice', '2025-10-31 23:00:00', [72], 'priceExVat'],
  ['sevab_nat', 'EFF-80-200A', 2025, 'powerPrice', '2025-11-01 00:00:00', [94], 'priceExVat'],
  ['sollentuna_elnat', 'EFF-16-25A', 2025, 'powerPrice', '2025-06-19 12:00:00', [67.5], 'priceIncVat'],
  ['sollentuna_elnat', 'EFF-16-25A', 2025, 'powerPrice', '2025-06-20 12:00:00', [], 'priceIncVat'], // Midsummer Eve
];
for (const [provider, product, year, group, at, prices, vat] of hand) {
  test(`${provider} ${product} at ${at}: ${prices.join(' + ') || 'nothing'}`, () => {
    assert.deepEqual(pricesAt(find(provider, product, year), group, at, vat), prices);
  });
}

test('the fixed prices of Degerfors are 3000 per year, with the fees of the authorities', () => {
  const { components } = find('degerfors_elnat', 'EFF-16-63A', 2025).fixedPrice;
  assert.deepEqual(new Set(components.map(({ pricedPeriod }) => pricedPeriod)), new Set(['P1Y']));
  assert.equal(
    components.reduce((sum, { price }) => sum + price!.priceIncVat, 0),
    3000,
  );
});

test('an expired tariff refers to its successor', () => {
  const old = find('goteborg_energi_nat', 'GNM63', 2025);
  const next = book.successor(old, '2026-05-01');
  assert.equal(next?.id, find('goteborg_energi_nat', 'GNM63', 2026).id);
  assert.equal(book.successor(old, '2028-05-01'), undefined);
  // twelve of its tariffs share one product, so none has a successor
  assert.equal(book.successor(book.findProvider('mjolby_kraftnat')!.tariffs[5]!, '2026-05-01'), undefined);
});

test('hyphens in provider ids equal underscores, and tariff ids ignore case', () => {
  assert.equal(book.findProvider('Goteborg-Energi-Nat')?.id, 'goteborg_energi_nat');
  const { id } = book.providers[0]!.tariffs[0]!;
  assert.equal(book.findTariff(id.toUpperCase())?.tariff.id, id);
  for (const nobody of ['', '__proto__', 'constructor', '../ellevio', 'ellevio.json']) {
    assert.equal(book.findProvider(nobody), undefined);
    assert.equal(book.findTariff(nobody), undefined);
  }
});
