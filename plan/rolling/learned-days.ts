import { dayMs } from '#contract/time.ts';
import { addDays, dateAt, startOfDate, wallAt } from '#contract/time-zone.ts';
import { isWeekend } from '../forecast/history.ts';
import { clearSkyOver, type GeoPosition } from '../forecast/sun.ts';
import { placeIn } from '../forecast/zone-places.ts';
import { costBelow, type PricedWindow } from './limit-costs.ts';
import { attainablePeak, highestPeak, type Shaver } from './outlook.ts';
import type { Series } from './world.ts';

const learnedDays = 21; // in more, spring and autumn expect the peaks of darker days, and then make them
const leastDays = 4; // of a kind; with fewer, all days are taken
const unexpectedShare = 0.05; // of what storages shave, which they miss because the day is not known in advance
const reservedShare = 0.2; // of the same, which they hold back below a limit, because a day may turn out worse
const leastLight = 15; // W/m²; below, a ratio to it is mostly noise

/** How the windows of a day count, by their place in the day. */
export type DayPattern = { key: string; weights: number[]; isFree: boolean };

type PastWindow = Omit<PricedWindow, 'weight' | 'net_w'> & {
  slot: number;
  ms: number;
  load_w: number;
  solar_w: number;
};
type PastDay = { isFree: boolean; windows: PastWindow[]; counted: Map<string, CountedDay> };

/** A day that is over, as if it counted like a day to come: the peak that it could have been kept at, and what its energy costs below a limit. */
export type CountedDay = { highest: number; attainable: number; costBelow(limitKw: number): number };

/** The recent days of a home. */
export class LearnedDays {
  readonly #series: Series;
  readonly #timezone: string;
  readonly #windowMs: number;
  readonly #shaver: Shaver;
  readonly #weightAt: (step: number) => number;
  readonly #position: GeoPosition | undefined;
  readonly #patterns = new Map<string, DayPattern | undefined>();
  #past = new Map<string, PastDay>();

  constructor(series: Series, timezone: string, windowMs: number, shaver: Shaver, weightAt: (step: number) => number) {
    this.#series = series;
    this.#timezone = timezone;
    this.#windowMs = Math.max(series.stepMs, windowMs);
    this.#shaver = shaver;
    this.#weightAt = weightAt;
    this.#position = placeIn(timezone);
  }

  /** Returns how the windows of a date count; undefined if none does. */
  patternOf(date: string): DayPattern | undefined {
    if (this.#patterns.has(date)) return this.#patterns.get(date);
    const { startMs, stepMs } = this.#series;
    const weights: number[] = [];
    const end = startOfDate(this.#timezone, addDays(date, 1));
    for (let ms = startOfDate(this.#timezone, date); ms < end; ms += this.#windowMs)
      weights[this.#slotOf(ms)] = this.#weightAt(Math.round((ms - startMs) / stepMs));
    for (let slot = 0; slot < weights.length; slot++) weights[slot] ??= weights[slot - 1] ?? 1; // skipped by the clock
    const isFree = isWeekend(new Date(date).getUTCDay());
    const pattern = weights.some((weight) => weight > 0)
      ? { key: `${isFree} ${weights.join()}`, weights, isFree }
      : undefined;
    this.#patterns.set(date, pattern);
    return pattern;
  }

  #slotOf(ms: number): number {
    return Math.floor((wallAt(this.#timezone, ms) % dayMs) / this.#windowMs);
  }

  /** Takes note of the recent days that are over, and forgets older ones. */
  update(now: number): void {
    const { startMs, stepMs, load_w, solar_w, import_price, export_price } = this.#series;
    const perWindow = Math.round(this.#windowMs / stepMs);
    const first = Math.max(0, now - Math.floor((learnedDays * dayMs) / stepMs));
    const days = new Map<string, PastWindow[]>();
    for (let step = first; step + perWindow <= now; step += perWindow) {
      const ms = startMs + step * stepMs;
      const day = dateAt(this.#timezone, ms);
      const windows = days.get(day) ?? [];
      days.set(day, windows);
      const mean = (of: (step: number) => number): number => {
        let sum = 0;
        for (let k = step; k < step + perWindow; k++) sum += of(k);
        return sum / perWindow;
      };
      windows.push({
        slot: this.#slotOf(ms),
        ms,
        load_w: mean((k) => load_w[k]!),
        solar_w: mean((k) => solar_w[k]!),
        importPrice: mean((k) => import_price[k]!),
        exportPrice: mean((k) => export_price[k]!),
      });
    }
    const before = this.#past;
    this.#past = new Map();
    for (const [day, windows] of days) {
      if (windows.length * this.#windowMs <= dayMs / 2) continue;
      const known = before.get(day);
      const isSame = known?.windows.length === windows.length;
      const isFree = isWeekend(new Date(day).getUTCDay());
      this.#past.set(day, isSame ? known : { isFree, windows, counted: new Map() });
    }
  }

  /** Returns the recent days of the same kind, as if their windows counted like those of a day to come, with the sun of a date. */
  like(pattern: DayPattern, date: string): CountedDay[] {
    const all = [...this.#past.values()];
    const same = all.filter(({ isFree }) => isFree === pattern.isFree);
    return (same.length >= leastDays ? same : all).map((day) => this.#countedAs(day, pattern, date));
  }

  #countedAs({ windows: past, counted }: PastDay, pattern: DayPattern, date: string): CountedDay {
    const { weights } = pattern;
    const key = `${date} ${pattern.key}`;
    const known = counted.get(key);
    if (known) return known;
    const hours = this.#windowMs / 3_600_000;
    const windows = past.map((window) => ({
      ...window,
      net_w: window.load_w - window.solar_w * this.#season(window, date),
      weight: weights[window.slot] ?? 1,
    }));
    const highest = highestPeak(windows);
    const kept = attainablePeak(windows, hours, this.#shaver);
    const attainable = kept + unexpectedShare * (highest - kept);
    const costs = new Map<number, number>();
    const day: CountedDay = {
      highest,
      attainable,
      costBelow: (limit) => {
        const at = Math.max(attainable, limit - reservedShare * Math.max(0, highest - limit));
        const cost = costs.get(at) ?? costBelow(at, windows, hours, this.#shaver);
        costs.set(at, cost);
        return cost;
      },
    };
    counted.set(key, day);
    return day;
  }

  /** Returns the light of a window at a later date, compared with that of its own day, under a clear sky. */
  #season({ ms, slot, solar_w }: PastWindow, date: string): number {
    const position = this.#position;
    if (!position || solar_w <= 0) return 1;
    const start = startOfDate(this.#timezone, date) + slot * this.#windowMs;
    const lightOf = (at: number): number => clearSkyOver({ start: at, end: at + this.#windowMs }, position);
    const then = lightOf(ms);
    return then < leastLight ? 1 : lightOf(start) / then;
  }
}
