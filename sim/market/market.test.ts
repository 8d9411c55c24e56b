import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dayMs } from '#contract/time.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { domains, findDomain } from './domains.ts';
import { startMarket } from './market.ts';
import { marketDays } from './market-days.ts';

const year = (eic: string, from: string) =>
  marketDays(findDomain(eic)!, Date.parse(from), Date.parse(from) + 365 * dayMs).flatMap(({ prices }) => prices);
const share = (all: readonly { price: number }[], is: (price: number) => boolean): number =>
  all.filter(({ price }) => is(price)).length / all.length;

suite('simulated market', () => {
  test('has plausible prices in every area', () => {
    for (const { eic } of domains) {
      const prices = year(eic, '2025-11-01');
      const mean = prices.reduce((sum, { price }) => sum + price, 0) / prices.length;
      assert.ok(mean > 8 && mean < 150, `${eic} ${mean}`);
      assert.ok(share(prices, (price) => price < -150 || price > 600) === 0, eic);
    }
  });

  test('has negative hours in Germany, mostly at noon', () => {
    const negative = year('10Y1001A1001A82H', '2025-11-01').filter(({ price }) => price < 0);
    const atNoon = negative.filter(({ start }) => Math.abs(((start / 3_600_000) % 24) - 12) <= 4);
    assert.ok(negative.length > 200 && negative.length < 6000, `${negative.length}`);
    assert.ok(atNoon.length > negative.length * 0.8);
  });

  test('publishes tomorrow between 11:45 and 12:00 UTC in winter, an hour earlier in summer', () => {
    for (const { eic } of domains) {
      for (const [date, from, to] of [
        ['2026-01-15', '11:45', '12:00'],
        ['2026-07-15', '10:45', '11:00'],
      ] as const) {
        const noon = Date.parse(`${date}T12:00Z`);
        const [day] = marketDays(findDomain(eic)!, noon, noon + 1);
        const published = new Date(day!.publishedAt).toISOString().slice(11, 16);
        assert.ok(published >= from && published < to, `${eic} ${published}`);
      }
    }
  });

  test('repeated requests return the same prices, and a token is required', async () => {
    const clock = createFakeClock(Date.parse('2026-11-14T13:00Z'));
    const market = await startMarket({ clock, token: 'right' });
    const ask = (token: string) =>
      fetch(
        `${market.entsoeUrl}?documentType=A44&in_Domain=10Y1001A1001A46L&out_Domain=10Y1001A1001A46L&periodStart=202611132300&periodEnd=202611142300&securityToken=${token}`,
      );
    assert.equal((await ask('wrong')).status, 401);
    const first = await ask('right');
    assert.equal(first.headers.get('simulated-market'), 'true');
    assert.equal(await first.text(), await (await ask('right')).text());
    await market.close();
  });
});
