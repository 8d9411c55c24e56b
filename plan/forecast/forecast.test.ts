import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dayMs, hourMs } from '#contract/time.ts';
import { Distribution } from './distribution.ts';
import { type History, meanAbsoluteError } from './history.ts';
import { forecastLoad } from './load.ts';
import { forecastPresence } from './presence.ts';
import { forecastPrices } from './prices.ts';
import { clearSky, forecastSun } from './sun.ts';

const timezone = 'Europe/Stockholm';
const now = Date.parse('2026-02-02T00:00:00+01:00'); // a Monday
const position = { latitude: 59.3, longitude: 18.1 };

/** Returns hourly values of the days before now. */
const historyOf = (days: number, valueAt: (ms: number) => number, after = 0): History => {
  const startMs = now - days * dayMs;
  return {
    startMs,
    stepMs: hourMs,
    values: Array.from({ length: days * 24 + after }, (_, i) => valueAt(startMs + i * hourMs)),
  };
};
const localHour = (ms: number): number => (new Date(ms).getUTCHours() + 1) % 24;
const isWeekend = (ms: number): boolean => [0, 6].includes(new Date(ms + hourMs).getUTCDay());
const hourAt = (hour: number, days = 0) => {
  const start = now + days * dayMs + hour * hourMs;
  return { start, end: start + hourMs };
};
const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} instead of ${expected}`);

suite('a distribution', () => {
  const five = new Distribution([1, 2, 3, 4, 5].map((value) => [value, 1]));

  test('has a mean, a median and a band', () => {
    assert.deepEqual(five.band(), { mean: 3, median: 3, low: 1, high: 5 });
  });

  test('has equally likely parts with the same mean', () => {
    assert.deepEqual(five.parts(5), [1, 2, 3, 4, 5]);
    const parts = new Distribution([
      [1, 3],
      [10, 1],
    ]).parts(2);
    near(parts[0]!, 1, 1e-9);
    near(parts[1]!, 5.5, 1e-9);
  });
});

suite('the forecast of the load', () => {
  test('follows the hour and the kind of day', () => {
    const history = historyOf(28, (ms) => (isWeekend(ms) ? 1500 : localHour(ms) === 18 ? 3000 : 500));
    const forecast = forecastLoad(history, { timezone });
    near(forecast(hourAt(18)).quantile(0.5), 3000, 300);
    near(forecast(hourAt(12)).quantile(0.5), 500, 50);
    near(forecast(hourAt(12, 5)).quantile(0.5), 1500, 100); // Saturday
  });

  test('keeps to local time when the clocks change', () => {
    const summer = Date.parse('2026-03-29T00:00:00+01:00');
    const at = (ms: number): number => (new Date(ms).getUTCHours() === 6 ? 2000 : 300); // 07:00 in winter
    const startMs = summer - 14 * dayMs;
    const values = Array.from({ length: 14 * 24 }, (_, i) => at(startMs + i * hourMs));
    const forecast = forecastLoad({ startMs, stepMs: hourMs, values }, { timezone });
    const seven = Date.parse('2026-03-30T07:00:00+02:00');
    near(forecast({ start: seven, end: seven + hourMs }).quantile(0.5), 2000, 200);
  });

  test('follows a level that has changed, and its band contains most of what happened', () => {
    const jump = historyOf(21, (ms) => (ms >= now - dayMs ? 1500 : 1000));
    const { median } = forecastLoad(jump, { timezone })(hourAt(3)).band();
    assert.ok(median > 1250 && median < 1600, `${median}`);
    const noisy = historyOf(28, (ms) => 1000 + 400 * Math.sin(ms / 3.7e6) * Math.cos(ms / 1.3e7));
    const { low, high } = forecastLoad(noisy, { timezone })(hourAt(3)).band();
    assert.ok(low < 1000 && high > 1000 && low >= 600 && high <= 1500, `${low} to ${high}`);
  });

  test('expects what followed on days whose last hours were similar', () => {
    const isSauna = (ms: number): boolean => Math.floor((ms - now) / dayMs) % 4 === 0;
    const load = (ms: number): number => ([18, 19].includes(localHour(ms)) && isSauna(ms) ? 6000 : 500);
    const meanAfter = (days: number): number => {
      const history = historyOf(42, load);
      const end = 42 * 24 - days * 24 - 5; // 19:00
      const values = Array.from(history.values).slice(0, end);
      const start = history.startMs + end * hourMs;
      return forecastLoad({ ...history, values }, { timezone })({ start, end: start + hourMs }).mean;
    };
    assert.ok(meanAfter(3) > 4500, `${meanAfter(3)}`);
    assert.ok(meanAfter(2) < 1000, `${meanAfter(2)}`);
  });

  test('adds heating for a colder day', () => {
    const temperature = historyOf(28, (ms) => (ms >= now ? -10 : 5 * Math.sin(ms / (3 * dayMs))), 48);
    const warmthAt = (ms: number): number => temperature.values[(ms - temperature.startMs) / hourMs]!;
    const history = historyOf(28, (ms) => 1000 - 80 * warmthAt(ms));
    near(forecastLoad(history, { timezone, temperature })(hourAt(12)).mean, 1800, 150);
  });

  test('is the mean of what there is when days are missing, and never NaN', () => {
    const history = historyOf(3, (ms) => (ms < now - dayMs ? Number.NaN : 700));
    near(forecastLoad(history, { timezone })(hourAt(5)).mean, 700, 1);
    const empty = { startMs: now, stepMs: hourMs, values: [] };
    assert.ok(forecastLoad(empty, { timezone })(hourAt(5)).mean > 0);
  });
});

suite('the forecast of the sun', () => {
  // The roof faces west: nothing before ten.
  const roof = (ms: number): number => (localHour(ms) < 10 ? 0 : 6 * clearSky(ms + hourMs / 2, position));

  test('learns the shape of the roof, and follows the season', () => {
    const forecast = forecastSun(historyOf(21, roof), { timezone, position });
    assert.equal(forecast(hourAt(9)).mean, 0);
    near(forecast(hourAt(13)).mean, roof(hourAt(13).start), 0.05 * roof(hourAt(13).start));
    assert.equal(forecast(hourAt(1)).mean, 0);
  });

  test('uses the irradiance of a weather source', () => {
    const cloudy = (ms: number): number => (ms >= now ? 0.3 : 1) * clearSky(ms + hourMs / 2, position);
    const irradiance = historyOf(21, cloudy, 48);
    const forecast = forecastSun(historyOf(21, roof), { timezone, position, irradiance });
    near(forecast(hourAt(13)).mean, 0.3 * roof(hourAt(13).start), 0.03 * roof(hourAt(13).start));
  });

  test('does not compare clouds of a weather source with the clear sky of days that it does not know', () => {
    const overcast = (ms: number): number => 0.3 * roof(ms);
    const irradiance = historyOf(0, (ms) => 0.3 * clearSky(ms + hourMs / 2, position), 48);
    const forecast = forecastSun(historyOf(21, overcast), { timezone, position, irradiance });
    near(forecast(hourAt(13)).mean, overcast(hourAt(13).start), 0.05 * overcast(hourAt(13).start));
  });

  test('a clear sky is bright at noon in June, and dark at night', () => {
    near(clearSky(Date.parse('2026-06-21T10:50:00Z'), position), 800, 60);
    assert.equal(clearSky(Date.parse('2026-06-21T23:00:00Z'), position), 0);
  });
});

suite('the forecast of prices', () => {
  test('gives known prices as they are, and later ones by the shape of recent days', () => {
    const known = historyOf(21, (ms) => (localHour(ms) === 18 ? 3 : 1), 24);
    const priceOf = forecastPrices(known, timezone);
    assert.deepEqual(priceOf(hourAt(18)), { price: 3, isAssumed: false });
    const later = priceOf(hourAt(18, 1));
    assert.equal(later.isAssumed, true);
    near(later.price, 3, 0.1);
    near(priceOf(hourAt(3, 1)).price, 1, 0.1);
  });

  test('returns to the usual level after a dear day', () => {
    const known = historyOf(21, (ms) => (ms >= now ? 5 : 1), 24);
    const priceOf = forecastPrices(known, timezone);
    const [first, second] = [priceOf(hourAt(3, 1)).price, priceOf(hourAt(3, 4)).price];
    assert.ok(first > second && second > 1 && first < 5, `${first}, ${second}`);
  });
});

test('the presence of a car is learned for working days and weekends', () => {
  const history = historyOf(28, (ms) => (isWeekend(ms) || localHour(ms) < 8 || localHour(ms) >= 17 ? 1 : 0));
  const chance = forecastPresence(history, timezone);
  assert.ok(chance(hourAt(12)) < 0.2);
  assert.ok(chance(hourAt(20)) > 0.95);
  assert.ok(chance(hourAt(12, 5)) > 0.7);
  assert.ok(Number.isNaN(forecastPresence({ ...history, values: [] }, timezone)(hourAt(12))));
});

test('the error of a forecast leaves out steps that are not known', () => {
  assert.equal(meanAbsoluteError([1, 2, 3], [2, Number.NaN, 1]), 1.5);
  assert.ok(Number.isNaN(meanAbsoluteError([1], [])));
});
