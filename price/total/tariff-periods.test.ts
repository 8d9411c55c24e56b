import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Bill, BillLine } from '#contract/price/total.ts';
import { componentsOf } from '../tariffs/eltariff.ts';
import { readShipped } from '../tariffs/testing/tariffs.ts';
import { makeBill } from './bill.ts';
import { findGridTariff } from './grid-tariff.ts';
import { knownMarket, localHours } from './testing/known-market.ts';

const book = (await readShipped()).book();
const deps = { ...knownMarket({ spot: () => 50 }), book: () => book };

const idOf = (provider: string, product: string, from: string): string => {
  const found = book
    .findProvider(provider)
    ?.tariffs.find((tariff) => tariff.product === product && tariff.validPeriod.fromIncluding === from);
  assert.ok(found, `${provider} ${product} ${from}`);
  return found.id;
};

/** Bills a month in which every hour uses 1 kWh. */
const billOf = (tariff_id: string, month: string, fuse_a?: number): Promise<Bill> => {
  const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)).toISOString().slice(0, 10);
  const intervals = localHours(`${month}-01`, next, () => ({ import_kwh: 1 }));
  const contracts = fuse_a === undefined ? {} : { contracts: [{ valid_from: '2020-01-01', pricing: 'spot', fuse_a }] };
  return makeBill({ area: 'SE3', tariff_id, intervals, ...contracts } as Parameters<typeof makeBill>[0], deps);
};

/** Returns the prices of the lines of a kind. */
const pricesOf = ({ lines }: Bill, kind: BillLine['kind']): number[] =>
  lines.filter((line) => line.kind === kind).map(({ price }) => price);

const gridOf = (bill: Bill) => ({
  fixed: pricesOf(bill, 'fixed'),
  energy: pricesOf(bill, 'grid_energy'),
  power: pricesOf(bill, 'power'),
  assumed: bill.metadata.assumed ?? false,
});

suite('a price list is valid for a period', () => {
  test('Ellevio ended its power fee on 1 June 2026: a bill of May has it, one of June does not', async () => {
    const of2025 = idOf('ellevio', 'EFF-16-25A', '2025-01-01');
    assert.deepEqual(gridOf(await billOf(of2025, '2025-12')), {
      fixed: [292],
      energy: [0.05],
      power: [65],
      assumed: false,
    });
    assert.deepEqual(gridOf(await billOf(of2025, '2026-05', 20)), {
      fixed: [316],
      energy: [0.056],
      power: [65],
      assumed: false,
    });
    assert.deepEqual(gridOf(await billOf(of2025, '2026-06', 20)), {
      fixed: [472],
      energy: [0.208],
      power: [],
      assumed: false,
    });
  });

  test('without the fuse size, one of several successors is assumed and the others are named', async () => {
    const june = await billOf(idOf('ellevio', 'EFF-16-25A', '2026-01-01'), '2026-06');
    assert.deepEqual(gridOf(june), { fixed: [360], energy: [0.208], power: [], assumed: true });
    assert.equal(june.metadata.assumed_tariffs, undefined, 'the list has not expired');
    assert.ok(june.metadata.notes.some((note) => /depend on the main fuse.*"Säkring 20 A", "Säkring 25 A"/.test(note)));
  });

  test('years later, the successor has expired, too', async () => {
    const { metadata } = await billOf(idOf('ellevio', 'EFF-16-25A', '2025-01-01'), '2028-02');
    assert.equal(metadata.assumed_tariffs?.[0]?.name, 'Säkring 16 A');
    for (const reason of [
      /"Säkring 16 A" was valid .* to 2027-01-01/,
      /depend on the main fuse/,
      /tax of 2028 is not known/,
    ])
      assert.ok(
        metadata.notes.some((note) => reason.test(note)),
        String(reason),
      );
  });

  test('a tariff chosen in June also bills the months before', async () => {
    const may = await billOf(idOf('ellevio', 'SAK-20A', '2026-06-01'), '2026-05');
    assert.deepEqual(gridOf(may), { fixed: [316], energy: [0.056], power: [65], assumed: false });
  });

  test('a list without a successor is the last known one, with its dates and a warning', async () => {
    const bill = await billOf(idOf('ellevio', 'EFF-50A', '2026-01-01'), '2026-06');
    assert.deepEqual(gridOf(bill).power, [65]);
    assert.deepEqual(
      bill.metadata.assumed_tariffs?.map(({ validPeriod }) => validPeriod),
      [{ fromIncluding: '2026-01-01', toExcluding: '2026-06-01' }],
    );
    assert.ok(bill.metadata.notes.some((note) => /"Effekt 50 A" was valid .* may have changed/.test(note)));
  });

  for (const { operator, product, from, months } of [
    {
      operator: 'kraftringen_nat',
      product: 'grid.cons.lsp.16A',
      from: '2026-01-01',
      months: { '2026-06': { fixed: [548], power: [] }, '2026-07': { fixed: [496], power: [] } },
    },
    {
      operator: 'skanska_energi_nat',
      product: 'grid.cons.lsp.16A',
      from: '2026-01-01',
      months: { '2026-06': { fixed: [5520], power: [] }, '2026-07': { fixed: [4944], power: [] } },
    },
    {
      operator: 'malarenergi_elnat',
      product: 'SAK-16A',
      from: '2025-09-01',
      months: { '2026-06': { fixed: [281], power: [47.4] }, '2026-07': { fixed: [281], power: [] } },
    },
    {
      operator: 'jonkoping_energi_elnat',
      product: 'EFF-16A',
      from: '2025-09-01',
      months: { '2026-09': { fixed: [264.224], power: [] } },
    },
  ]) {
    test(`prices of ${operator} change within the year`, async () => {
      const id = idOf(operator, product, from);
      for (const [month, { fixed, power }] of Object.entries(months)) {
        const found = gridOf(await billOf(id, month));
        assert.deepEqual([found.fixed, found.power, found.assumed], [fixed, power, false], month);
      }
    });
  }

  test('prices that one source reports have a note', async () => {
    const { metadata } = await billOf(idOf('boo_energi', 'SAK-16A', '2026-01-01'), '2026-06');
    assert.ok(metadata.notes.some((note) => /Boo Energi.*single source/.test(note)));
  });
});

test('a known municipality in the north has the reduced energy tax, even if the operator lists the full one', async () => {
  const tariff_id = idOf('eon_energidistribution', 'NDENOR-16', '2026-01-01');
  const intervals = localHours('2026-06-01', '2026-06-02', () => ({ import_kwh: 1 }));
  const taxIn = async (municipality: string | undefined) => {
    const places = { findZone: async () => ({ zone: 'SE2', municipality }) };
    return pricesOf(await makeBill({ lat: 63, lon: 17, tariff_id, intervals }, { ...deps, places }), 'energy_tax');
  };
  assert.deepEqual(await taxIn('2283'), [0.264]); // Sollefteå
  assert.deepEqual(await taxIn('2281'), [0.36]); // Sundsvall
  assert.deepEqual(await taxIn(undefined), [0.36]);
});

test('no shipped tariff drops the grid fee: on this day each has prices of its own or of its successor', () => {
  const date = '2026-11-18';
  let assumed = 0;
  for (const provider of book.providers) {
    for (const tariff of provider.tariffs.filter(({ direction }) => direction === 'consumption')) {
      const found = findGridTariff(book, tariff.id).on(date);
      const words = `${provider.id} ${tariff.name} ${tariff.validPeriod.fromIncluding}`;
      assert.ok(found, words);
      assert.equal(found.tariff.companyName, tariff.companyName, words);
      if (found.isAssumed) assumed++;
      for (const group of ['fixedPrice', 'energyPrice'] as const) {
        const active = book.activeOrAssumed(found.tariff, group, { date, time: '12:00:00' });
        const isStepped = group === 'fixedPrice' && found.tariff.capacitySteps !== undefined;
        assert.ok(isStepped || active.length > 0, `${words}: ${group}`);
      }
      assert.ok(componentsOf(found.tariff).every(({ price, spotPriceSettings }) => price || spotPriceSettings));
    }
  }
  assert.ok(assumed > 100, 'lists of 2025 without a newer one are assumed to still apply');
});
