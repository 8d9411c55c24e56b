import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { BillLine, TotalInterval } from '#contract/price/total.ts';
import { hoursFrom, openPrice, type TestPrice } from './open-price.ts';

type Component = {
  name: string;
  price?: { priceExVat: number; priceIncVat: number; currency: string };
  spotPriceSettings?: { multiplier: number; currency: string };
};
type Detail = { name: string; priceExVat: number; priceIncVat: number; spotPriceSettings?: object };

const spotOf = <Given extends { spotPriceSettings?: object }>(components: Given[]): Given =>
  components.find(({ spotPriceSettings }) => spotPriceSettings)!;

suite('spot-linked components', () => {
  let price: TestPrice;
  let spotLinked: { id: string; zone: string; multiplier: number; isOfTwoYears: boolean }[];
  before(async () => {
    price = await openPrice(); // 16:00 by the clocks of Sweden
    spotLinked = ['eon_energidistribution', 'brittedals_elnat'].flatMap((id) =>
      price.service.tariffs
        .book()
        .findProvider(id)!
        .tariffs.filter(({ name }) => id === 'brittedals_elnat' || name.startsWith('Capacity 0,4kV'))
        .map((tariff) => ({
          id: tariff.id,
          zone: /SE\d/.exec(tariff.name)?.[0] ?? (tariff.name.includes('Stockholm') ? 'SE3' : 'SE4'),
          isOfTwoYears: id === 'brittedals_elnat', // assumed in 2026
          multiplier: spotOf([...tariff.energyPrice.components]).spotPriceSettings!.multiplier,
        })),
    );
  });
  after(() => price[Symbol.asyncDispose]());

  const hourly = async (zone: string): Promise<{ datetime: string; price: number }[]> =>
    (await price.get(`/price/electricity/${zone}?currency=SEK`)).body.prices;

  test('cost their share of the spot price of their bidding zone: at the time asked for, and now in the details', async () => {
    assert.equal(spotLinked.length, 5);
    for (const { id, zone, multiplier } of spotLinked) {
      const prices = await hourly(zone);
      const at = (instant: string): number =>
        prices.find(({ datetime }) => Date.parse(datetime) === Date.parse(instant))!.price / 1000;
      const { components, unpriced } = (await price.get(`/price/tariffs/tariff/${id}/energyPrice/2026-01-14T08:30:00`))
        .body;
      const component: Component = spotOf(components);
      const near = (got: number, expected: number) =>
        assert.ok(Math.abs(got - expected) < 2e-6, `${id} ${got} ${expected}`);
      near(component.price!.priceExVat, multiplier * at('2026-01-14T07:00:00Z'));
      near(component.price!.priceIncVat, 1.25 * multiplier * at('2026-01-14T07:00:00Z'));
      assert.deepEqual([unpriced, component.spotPriceSettings], [undefined, { multiplier, currency: 'SEK' }]);

      const detail: Detail = spotOf(
        (await price.get(`/price/tariffs/tariff/${id}`)).body.tariff.energyPrice.components,
      );
      near(detail.priceExVat, multiplier * at('2026-01-14T15:00:00Z'));
      near(detail.priceIncVat, 1.25 * multiplier * at('2026-01-14T15:00:00Z'));
      assert.deepEqual(detail.spotPriceSettings, { multiplier, currency: 'SEK' });
    }
  });

  test('cost the same in the details, the total price and the bill, also on a day without a price list', async () => {
    for (const { id, zone, isOfTwoYears } of spotLinked) {
      for (const [local, start] of [
        isOfTwoYears
          ? ['2025-12-10T08:00:00', '2025-12-10T07:00:00.000Z']
          : ['2026-01-10T08:00:00', '2026-01-10T07:00:00.000Z'],
        ['2026-01-14T17:00:00', '2026-01-14T16:00:00.000Z'],
      ] as const) {
        const { components } = (await price.get(`/price/tariffs/tariff/${id}/energyPrice/${local}`)).body;
        const { name, price: each }: Component = spotOf(components);
        const end = new Date(Date.parse(start) + 3_600_000).toISOString();
        const total = await price.get(`/price/total?area=${zone}&tariff_id=${id}&from=${start}&to=${end}`);
        const parts = (total.body.intervals as TotalInterval[])[0]!.parts;
        assert.equal(parts.find(({ rule }) => rule?.endsWith(name))?.amount, each!.priceExVat, id);
        const intervals = hoursFrom(start, [1000]);
        const bill = await price.post('/price/bill', { area: zone, tariff_id: id, intervals });
        const line = (bill.body.lines as BillLine[]).find((one) => one.name === name)!;
        assert.equal(line.price, each!.priceExVat, id);
        const all = components.reduce((sum: number, one: Component) => sum + one.price!.priceExVat, 0);
        const fees = parts
          .filter(({ kind }) => kind === 'grid_energy' || kind === 'energy_tax')
          .reduce((sum, { amount }) => sum + amount, 0);
        assert.ok(Math.abs(all - fees) < 1e-9, `${id}: ${all} and ${fees}`);
      }
    }
  });

  test('are unpriced where the spot price is not known, and priced again when it is', async () => {
    await using cut = await openPrice();
    const { id } = spotLinked[0]!;
    const ask = async () => (await cut.get(`/price/tariffs/tariff/${id}/energyPrice/2026-01-14T08:30:00`)).body;
    cut.market.setFault('hang up');
    const without = await ask();
    assert.deepEqual(
      without.unpriced.map(({ price: each, spotPriceSettings }: Component) => [each, spotPriceSettings!.multiplier]),
      [[undefined, spotLinked[0]!.multiplier]],
    );
    assert.ok(!spotOf(without.components));
    const { energyPrice } = (await cut.get(`/price/tariffs/tariff/${id}`)).body.tariff;
    assert.deepEqual([energyPrice.unpriced.length, spotOf(energyPrice.components)], [1, undefined]);
    cut.market.setFault(undefined);
    cut.clock.advance(600_000);
    const again = await ask();
    assert.ok(spotOf<Component>(again.components).price);
    assert.equal(again.unpriced, undefined);
  });

  test('of a day that is not published yet are unpriced', async () => {
    const { id } = spotLinked[0]!;
    const { unpriced } = (await price.get(`/price/tariffs/tariff/${id}/energyPrice/2026-02-14T08:30:00`)).body;
    assert.equal(unpriced.length, 1);
  });
});
