// node price/tariffs/every-hour.test.ts --all checks every hour of every tariff instead of a sample.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs } from '#contract/time.ts';
import type { Tariff } from './eltariff.ts';
import { instantOfLocal, localTimeAt } from './local-time.ts';
import type { TariffProvider } from './provider.ts';
import { paintedComponents } from './testing/painted.ts';
import { readShipped } from './testing/tariffs.ts';

const isAll = process.argv.includes('--all');
const everyNth = isAll ? 1 : 61; // prime, so that all hours of the day and days of the week occur
const book = (await readShipped()).book();

function lookAtHours({ calendarPatterns }: TariffProvider, tariff: Tariff): number {
  const { fromIncluding, toExcluding } = tariff.validPeriod;
  const [from, to] = [fromIncluding, toExcluding].map((date) =>
    instantOfLocal(tariff.timeZone, { date, time: '00:00:00' }),
  );
  let hours = 0;
  for (let ms = from!; ms < to!; ms += everyNth * hourMs) {
    const at = localTimeAt(tariff.timeZone, ms);
    for (const group of ['fixedPrice', 'energyPrice', 'powerPrice'] as const) {
      const found = book.active(tariff, group, at);
      assert.deepEqual(
        found,
        paintedComponents(tariff, group, at, calendarPatterns),
        `${tariff.id} ${at.date} ${at.time}`,
      );
      if (group === 'fixedPrice' && tariff.direction === 'consumption' && !tariff.capacitySteps)
        assert.ok(found.length > 0, `${tariff.name} has no price at ${at.date}`);
    }
    hours++;
  }
  return hours;
}

test('at every hour, every tariff has the components that a simple independent search finds', (t) => {
  let hours = 0;
  let tariffs = 0;
  for (const provider of book.providers) {
    for (const tariff of provider.tariffs) {
      hours += lookAtHours(provider, tariff);
      tariffs++;
    }
  }
  t.diagnostic(`${hours} hours of ${tariffs} tariffs of ${book.providers.length} providers, three groups each`);
  assert.equal(tariffs, 518);
  assert.ok(hours > 25_000);
});
