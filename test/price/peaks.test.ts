import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Bill } from '#contract/price/total.ts';
import { assertAddsUp, cents, decemberLoad, linesOf } from './december.ts';
import { openPrice, type TestPrice } from './open-price.ts';

suite('peaks', () => {
  let price: TestPrice;
  before(async () => {
    price = await openPrice();
  });
  after(() => price[Symbol.asyncDispose]());

  const powerOf = async (tariff_id: string, intervals: unknown): Promise<Bill> => {
    const { status, body } = await price.post('/price/bill', { area: 'SE3', tariff_id, intervals });
    assert.equal(status, 200, JSON.stringify(body));
    assertAddsUp(body);
    return body;
  };
  const shown = (bill: Bill) =>
    linesOf(bill, 'power').map(({ name, quantity, price: each, peaks }) => [
      name,
      quantity,
      each,
      peaks!.map(({ kw }) => kw),
    ]);

  const findTariff = (provider: string, name: string): string =>
    price.service.tariffs
      .book()
      .findProvider(provider)!
      .tariffs.find((tariff) => tariff.name === name)!.id;

  test('of a base and a high-load charge are found for each, and both are charged', async () => {
    // Karlstad: the highest hour of the month, and in addition the highest on weekdays from 6 to 18 except holidays.
    const tariff = price.service.tariffs.book().findProvider('karlstads_elnat')!.tariffs[0]!;
    const load = decemberLoad({
      '2025-12-06T12:00': 9,
      '2025-12-09T17:00': 4,
      '2025-12-09T18:00': 8,
      '2025-12-24T10:00': 7,
    });
    const names = Object.fromEntries(
      tariff.powerPrice.components.map(({ name, price: each }) => [name, each!.priceExVat]),
    );
    assert.deepEqual(shown(await powerOf(tariff.id, load)), [
      ['Effektavgift', 9, names.Effektavgift, [9]],
      ['Effektavgift höglast', 4, names['Effektavgift höglast'], [4]],
    ]);
  });

  test('of any hours may be on one day', async () => {
    const three = price.service.tariffs
      .book()
      .providers.flatMap(({ tariffs }) => tariffs)
      .find(({ validPeriod, powerPrice: { components } }) => {
        const settings = components[0]?.peakIdentificationSettings;
        return (
          validPeriod.fromIncluding === '2025-01-01' &&
          components.length === 1 &&
          settings?.peakIdentificationPeriod === 'PT1H' &&
          settings.numberOfPeaksForAverageCalculation === 3
        );
      });
    assert.ok(three);
    const load = decemberLoad({
      '2025-12-09T10:00': 9,
      '2025-12-09T11:00': 8,
      '2025-12-09T12:00': 7,
      '2025-12-10T10:00': 6,
    });
    assert.deepEqual(shown(await powerOf(three.id, load))[0]!.slice(1, 2), [8]);
  });

  test('of reactive power are not guessed', async () => {
    const bill = await powerOf(
      findTariff('tekniska_verken_linkoping_nat', 'Prislista 80-125A lågspänning'),
      decemberLoad({}),
    );
    assert.equal(linesOf(bill, 'power').length, 1);
    assert.match(bill.metadata.notes.join(' '), /"Reaktiv effekt.*" is not included: it charges for reactive power/);
  });

  test('of a year billed by the year are charged for the month', async () => {
    const bill = await powerOf(
      findTariff('ljusdal_elnat', 'Effekttariff 80–200 A'),
      decemberLoad({ '2025-12-09T10:00': 20 }),
    );
    const [power] = linesOf(bill, 'power');
    assert.deepEqual(
      [power!.from, power!.to, power!.quantity, power!.price, power!.share, power!.amount],
      ['2025-01-01', '2026-01-01', 20, 632, 0.0849, cents((20 * 632 * 31) / 365) / 100],
    );
  });

  test('every tariff of 2025 produces a December bill that adds up', async () => {
    const tariffs = price.service.tariffs
      .book()
      .providers.filter(({ country }) => country === 'SE')
      .flatMap((provider) => provider.tariffs)
      .filter(
        ({ validPeriod }) => validPeriod.fromIncluding <= '2025-12-01' && validPeriod.toExcluding >= '2026-01-01',
      );
    assert.ok(tariffs.length > 200, `only ${tariffs.length}`);
    const load = decemberLoad({ '2025-12-09T10:00': 9, '2025-12-12T03:00': 8, '2025-12-14T12:00': 7 });
    for (const tariff of tariffs) {
      const bill = await powerOf(tariff.id, load);
      const unexplained = bill.metadata.notes.filter((note) => !/reactive power/.test(note));
      assert.deepEqual(unexplained, [], tariff.name);
      assert.ok(tariff.powerPrice.components.length === 0 || linesOf(bill, 'power').length > 0, tariff.name);
    }
  });
});
