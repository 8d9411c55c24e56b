import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { hoursFrom, openPrice, type TestPrice } from './open-price.ts';

const goteborg = '2d3d3e89-9fb0-4db4-be93-806a0e891fe8';
const component = '/eltariff/goteborg_energi_nat/prices';

/** How often the event loop turned, so that others could be answered, while an answer was made. */
async function turnsDuring(answer: Promise<{ status: number }>): Promise<number> {
  let [turns, isDone] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const { status } = await answer;
  isDone = true;
  assert.equal(status, 200);
  return turns;
}

suite('a long range is worked on in pieces', () => {
  let price: TestPrice;
  before(async () => {
    price = await openPrice({ RATE_PRICES: '100000' });
    for (const range of ['2025-10-05&to=2025-12-01', '2025-12-01&to=2026-01-15'])
      await price.get(`/price/total?area=SE3&from=${range}`);
  });
  after(() => price[Symbol.asyncDispose]());

  const ranges = [
    { from: '2026-01-10', days: 4 },
    { from: '2025-10-06', days: 100 },
  ];
  const to = (from: string, days: number): string =>
    new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);
  const asked: Record<string, (from: string, days: number) => Promise<{ status: number }>> = {
    'total price': (from, days) =>
      price.get(`/price/total?area=SE3&tariff_id=${goteborg}&from=${from}&to=${to(from, days)}&resolution=PT15M`),
    'cheapest hours': (from, days) =>
      price.get(`/price/cheapest?area=SE3&tariff_id=${goteborg}&hours=4&after=${from}&before=${to(from, days)}`),
    bill: (from, days) => {
      const intervals = hoursFrom(`${from}T00:00:00Z`, new Array<number>(days * 24 - 24).fill(1));
      return price.post('/price/bill', { area: 'SE3', tariff_id: goteborg, intervals });
    },
    'hourly prices of a component': (from, days) => {
      const [energy] = price.service.tariffs.book().findTariff(goteborg)!.tariff.energyPrice.components;
      const range = `fromIncluding=${from}T00:00:00&toExcluding=${to(from, days)}T00:00:00`;
      return price.get(`${component}/${energy!.id}?${range}`);
    },
  };

  for (const [what, ask] of Object.entries(asked)) {
    test(`the ${what}: the event loop turns more often the longer the range is`, async () => {
      const turns: number[] = [];
      for (const { from, days } of ranges) {
        await ask(from, days); // the days are known then
        turns.push(await turnsDuring(ask(from, days)));
      }
      const [short, long] = turns as [number, number];
      assert.ok(long >= short + 2, `${short} turns for ${ranges[0]!.days} days, ${long} for ${ranges[1]!.days}`);
    });
  }
});
