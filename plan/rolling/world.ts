import type { Span } from '../forecast/history.ts';
import { forecastLoad, type LoadForecast } from '../forecast/load.ts';
import { forecastPrices } from '../forecast/prices.ts';
import { forecastSun, type SunForecast } from '../forecast/sun.ts';
import { placeIn } from '../forecast/zone-places.ts';
import type { Case } from './values.ts';

/** Load, sun and prices over a time, in steps of equal length. */
export type Series = {
  startMs: number;
  stepMs: number;
  load_w: Float64Array;
  solar_w: Float64Array;
  import_price: Float64Array;
  export_price: Float64Array;
  /** from when on the prices are known, ms */
  priceKnownAt: Float64Array;
  /** part of the import price that is always known */
  fixed_price: Float64Array;
};

// Equally likely parts that each case combines, low needs first. High needs, which make peaks, have parts of their own.
const partCount = 20;
const nearCases = [8, 6, 4, 2];
const farCases = [12, 6, 2];
const sunParts = 3;
const learnedMs = 60 * 24 * 3_600_000; // older loads and prices are not looked at

/** Everything that may be known at a moment of a replay, and what can be expected from it. */
export class Known {
  readonly #series: Series;
  readonly #now: number;
  readonly #load: LoadForecast;
  readonly #sun: SunForecast;
  readonly #prices: Prices;

  /** @param seen the first step whose load and sun are not known */
  constructor(series: Series, now: number, seen: number, timezone: string, prices: Prices) {
    this.#series = series;
    this.#now = now;
    const { startMs, stepMs } = series;
    const first = Math.max(0, now - Math.floor(learnedMs / stepMs));
    const past = (values: Float64Array) => ({
      startMs: startMs + first * stepMs,
      stepMs,
      values: values.subarray(first, seen),
    });
    this.#load = forecastLoad(past(series.load_w), { timezone });
    this.#sun = forecastSun(past(series.solar_w), { timezone, position: placeIn(timezone) });
    this.#prices = prices;
    prices.update(now);
  }

  spanOf(first: number, end: number): Span {
    const { startMs, stepMs } = this.#series;
    return { start: startMs + first * stepMs, end: startMs + end * stepMs };
  }

  priceAt(step: number): { importPrice: number; exportPrice: number } {
    return this.#prices.at(step, this.#now);
  }

  /** Returns what may happen in steps to come, with fewer cases for far ones. */
  cases(first: number, end: number, isNear: boolean): Case[] {
    const span = this.spanOf(first, end);
    const loads = this.#load(span).parts(partCount);
    const sun = this.#sun(span);
    const suns = sun.quantile(1) > 0 ? sun.parts(sunParts) : [0];
    const both = loads.flatMap((load) => suns.map((solar) => ({ load, solar })));
    if (suns.length > 1) both.sort((a, b) => a.load - a.solar - (b.load - b.solar));
    let at = 0;
    return (isNear ? nearCases : farCases).map((parts) => {
      const some = both.slice(at, at + parts * suns.length);
      at += some.length;
      const mean = (name: 'load' | 'solar'): number => some.reduce((sum, each) => sum + each[name], 0) / some.length;
      return { load: mean('load'), solar: mean('solar'), chance: parts / partCount };
    });
  }
}

/** Prices that are known, and assumptions about later ones. */
export class Prices {
  readonly #series: Series;
  readonly #timezone: string;
  #knownUntil = -1;
  #assumed = new Map<number, number>();
  #marketOf: ReturnType<typeof forecastPrices> = () => ({ price: 0, isAssumed: true });
  #exportLine = { base: 0, slope: 1 };

  constructor(series: Series, timezone: string) {
    this.#series = series;
    this.#timezone = timezone;
  }

  #isKnown(step: number, now: number): boolean {
    const { startMs, stepMs, priceKnownAt } = this.#series;
    return priceKnownAt[step]! <= startMs + now * stepMs;
  }

  /** Learns from the prices that are known now. */
  update(now: number): void {
    const { startMs, stepMs, import_price, export_price, fixed_price } = this.#series;
    let until = Math.max(now, this.#knownUntil);
    while (until < import_price.length && this.#isKnown(until, now)) until++;
    if (until === this.#knownUntil) return;
    this.#knownUntil = until;
    this.#assumed.clear();
    const first = Math.max(0, until - Math.floor(learnedMs / stepMs));
    const market = Float64Array.from(
      { length: until - first },
      (_, i) => import_price[first + i]! - fixed_price[first + i]!,
    );
    this.#marketOf = forecastPrices({ startMs: startMs + first * stepMs, stepMs, values: market }, this.#timezone);
    this.#exportLine = lineThrough(market, export_price.subarray(first, until));
  }

  at(step: number, now: number): { importPrice: number; exportPrice: number } {
    const { startMs, stepMs, import_price, export_price, fixed_price } = this.#series;
    if (step < this.#knownUntil && this.#isKnown(step, now))
      return { importPrice: import_price[step]!, exportPrice: export_price[step]! };
    let market = this.#assumed.get(step);
    if (market === undefined) {
      const start = startMs + step * stepMs;
      market = this.#marketOf({ start, end: start + stepMs }).price;
      this.#assumed.set(step, market);
    }
    const { base, slope } = this.#exportLine;
    return { importPrice: market + (fixed_price[step] ?? 0), exportPrice: base + slope * market };
  }
}

/** Returns the straight line that fits best. */
function lineThrough(x: Float64Array, y: Float64Array): { base: number; slope: number } {
  const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  const [meanX, meanY] = [mean(x), mean(y)];
  let [together, spread] = [0, 0];
  for (const [i, value] of x.entries()) {
    together += (value - meanX) * (y[i]! - meanY);
    spread += (value - meanX) ** 2;
  }
  const slope = spread > 1e-9 ? together / spread : 0;
  return { base: meanY - slope * meanX, slope };
}
