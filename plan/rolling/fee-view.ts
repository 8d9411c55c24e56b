import type { PeakFee, PlanStorage } from '#contract/plan.ts';
import { dayMs } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { feeOf } from '../peaks.ts';
import { costBelow, type PricedWindow } from './limit-costs.ts';
import { attainablePeak, highestPeak, PeakOutlook, type Shaver } from './outlook.ts';
import { PeakBook } from './peak-book.ts';
import type { Series } from './world.ts';

const learnedDays = 21; // in more, spring and autumn expect the peaks of darker days, and then make them
const unexpectedShare = 0.05; // of what storages can shave, which they miss because the day is not known in advance
const outOfSight = 31 * dayMs;
const addedPoints = 60;
const maxDaysAhead = 4;
const maxLimits = 80; // that are compared

/** A day that is over: the peak that it could have been kept at, and what its energy would have cost below a limit. */
type PastDay = { windows: PricedWindow[]; highest: number; attainable: number; costs: Map<number, number> };

/** A power charge as the rolling planner sees it: the peaks so far, and what the rest of the month may add. */
export class FeeView {
  readonly fee: PeakFee;
  readonly book: PeakBook;
  readonly #series: Series;
  readonly #timezone: string;
  readonly #shaver: Shaver;
  readonly #endMs: number; // of what is paid for
  #outlook: PeakOutlook;
  #learnedOn = '';
  #top = 1;
  #typical = 0; // attainable peak of a recent day, kW
  /** by day to come, the peak that is expected of it */
  readonly #expected = new Map<string, number>();
  /** what imports add, of the days that are planned */
  readonly #added = new Map<string, (kw: number) => number>();
  #past = new Map<string, PastDay>();

  constructor(
    fee: PeakFee,
    series: Series,
    timezone: string,
    storages: readonly PlanStorage[],
    from: number,
    to: number,
  ) {
    this.fee = fee;
    this.#series = series;
    this.#timezone = timezone;
    this.#endMs = to;
    this.book = new PeakBook(fee, timezone, from);
    this.#shaver = shaverOf(storages);
    this.#outlook = new PeakOutlook(fee, []);
  }

  weightAt(step: number): number {
    return this.fee.counted?.[step] === false ? 0 : (this.fee.weight?.[step] ?? 1);
  }

  /** A peak in kW that is hardly ever exceeded. */
  get top(): number {
    return this.#top;
  }

  /** Returns a peak in kW below which nothing differs until a day, so that values need no lower ones. */
  bottom(today: string, lastDay: string): number {
    const lowest = Math.min(this.#top, this.#typical) * 0.4;
    const { count } = this.fee;
    const charged = this.book.peaks(today).toSorted((a, b) => b - a)[count - 1] ?? 0;
    const isOneMonth = today.slice(0, 7) === lastDay.slice(0, 7);
    return isOneMonth ? Math.min(Math.max(lowest, charged), this.#top * 0.9) : lowest;
  }

  /** The fee for each kW above the top. */
  get beyond(): number {
    return (feeOf(this.fee, this.#top + 1) - feeOf(this.fee, this.#top)) / this.fee.count;
  }

  /** Learns, once a day, at which peaks the recent days could have been kept. */
  learn(now: number): void {
    const { startMs, stepMs } = this.#series;
    const nowMs = startMs + now * stepMs;
    const today = dateAt(this.#timezone, nowMs);
    this.book.enter(nowMs);
    if (today === this.#learnedOn) return;
    this.#learnedOn = today;
    const windowHours = Math.max(stepMs, this.fee.window_s * 1000) / 3_600_000;
    this.#remember(now, windowHours);
    const days = [...this.#past.values()];
    this.#top = Math.max(1, ...days.map(({ highest }) => highest), ...this.book.peaks()) * 1.2;
    const paying = this.#payingPeak(today, days, windowHours);
    this.#top = Math.max(this.#top, paying);
    const kept = days.map(({ attainable }) => Math.max(attainable, paying)).toSorted((a, b) => a - b);
    this.#outlook = new PeakOutlook(this.fee, kept);
    const typical = kept[Math.floor(kept.length / 2)] ?? 0;
    for (const day of this.#expected.keys()) if (day < today) this.#expected.delete(day);
    this.#typical = typical;
  }

  /**
   * Returns a peak in kW that pays for itself in the days that are left, because they can then buy more energy when it is cheap. Each day
   * alone would save too little for it.
   */
  #payingPeak(today: string, days: readonly PastDay[], windowHours: number): number {
    const left = this.#daysAfter(today) + 1;
    const peaks = this.book.peaks();
    if (this.#shaver.energyWh <= 0 || days.length === 0) return 0;
    const highest = this.#top + this.#shaver.chargeW / 1000;
    // A power of two, so that other days compare the same limits and costs are calculated once.
    const distance = 2 ** Math.ceil(Math.log2(highest / maxLimits));
    const costOf = ({ windows, attainable, costs }: PastDay, limit: number): number => {
      const kept = Math.max(attainable, limit);
      const cost = costs.get(kept) ?? costBelow(kept, windows, windowHours, this.#shaver);
      costs.set(kept, cost);
      return cost;
    };
    let [best, bestCost] = [0, Number.POSITIVE_INFINITY];
    for (let limit = 0; limit <= highest; limit += distance) {
      const energy = days.reduce((sum, day) => sum + costOf(day, limit), 0);
      const kept = days.map(({ attainable }) => Math.max(attainable, limit)).toSorted((a, b) => a - b);
      const cost = new PeakOutlook(this.fee, kept).expected(peaks, left) + (energy / days.length) * left;
      if (cost < bestCost - 1e-6) [best, bestCost] = [limit, cost];
    }
    return best;
  }

  /** Takes note of the recent days that are over, and forgets older ones. */
  #remember(now: number, windowHours: number): void {
    const before = this.#past;
    this.#past = new Map();
    for (const [day, windows] of this.#recentDays(now)) {
      const known = before.get(day);
      // The same day counts differently before the first days of a season and after.
      const isKnown = known?.windows.every(({ weight }, n) => weight === windows[n]?.weight);
      this.#past.set(day, isKnown ? known! : this.#pastDay(windows, windowHours));
    }
  }

  #pastDay(windows: PricedWindow[], windowHours: number): PastDay {
    const highest = highestPeak(windows);
    const kept = attainablePeak(windows, windowHours, this.#shaver);
    return { windows, highest, attainable: kept + unexpectedShare * (highest - kept), costs: new Map() };
  }

  /** Returns the windows of the recent days that are over. */
  #recentDays(now: number): [day: string, windows: PricedWindow[]][] {
    const { startMs, stepMs, load_w, solar_w, import_price, export_price } = this.#series;
    const perWindow = Math.max(1, Math.round((this.fee.window_s * 1000) / stepMs));
    const first = Math.max(0, now - Math.floor((learnedDays * dayMs) / stepMs));
    const days = new Map<string, PricedWindow[]>();
    for (let step = first; step + perWindow <= now; step += perWindow) {
      const day = dateAt(this.#timezone, startMs + step * stepMs);
      const windows = days.get(day) ?? [];
      days.set(day, windows);
      const mean = (of: (step: number) => number): number => {
        let sum = 0;
        for (let k = step; k < step + perWindow; k++) sum += of(k);
        return sum / perWindow;
      };
      windows.push({
        net_w: mean((k) => load_w[k]! - solar_w[k]!),
        weight: this.weightAt(step),
        importPrice: mean((k) => import_price[k]!),
        exportPrice: mean((k) => export_price[k]!),
      });
    }
    const all = [...days].filter(([, windows]) => windows.length * perWindow * stepMs > dayMs / 2);
    // Before the first day of a season that counts, its days are taken as if they counted.
    const counted = all.filter(([, windows]) => windows.some(({ weight }) => weight > 0));
    if (counted.length >= 5) return counted;
    return all.map(([day, windows]) => [day, windows.map((window) => ({ ...window, weight: 1 }))]);
  }

  expect(day: string, kw: number): void {
    this.#expected.set(day, kw);
  }

  expectedOf(day: string): number {
    return Math.max(this.book.peakOf(day), this.#expected.get(day) ?? this.#typical);
  }

  /** Returns the number of days of its month that follow a day, and are paid for. */
  #daysAfter(day: string): number {
    const [year, month, date] = day.split('-').map(Number) as [number, number, number];
    const ofMonth = new Date(Date.UTC(year, month, 0)).getUTCDate() - date;
    const paid = Math.ceil((this.#endMs - Date.parse(`${day}T23:59:59Z`)) / dayMs);
    return Math.max(0, Math.min(ofMonth, paid, outOfSight / dayMs));
  }

  /** Returns the expected fee of a month by the peak of a day, which follows other days from today on. */
  feeByPeakOf(day: string, today: string): (kw: number) => number {
    const peaks = this.#peaksBefore(day, today);
    const left = this.#daysAfter(day);
    const known = new Map<number, number>();
    return (kw) => {
      const fee = known.get(kw) ?? this.#outlook.expected([...peaks, kw], left);
      known.set(kw, fee);
      return fee;
    };
  }

  /** Returns what an import adds to the fee, if a day may count several times or its highest peak so far is known. */
  addedBy(day: string, today: string): (kw: number) => number {
    const peaks = this.#peaksBefore(day, today);
    const left = this.#daysAfter(day);
    const soFar = day === today ? this.book.peakOf(day) : 0;
    const key = [today, left, soFar, ...peaks].join();
    const known = this.#added.get(key);
    if (known) return known;
    const before = this.#outlook.expected([...peaks, soFar], left);
    // Asked for every power of every level: a table, because the expectation itself takes too long.
    const width = this.#top / addedPoints;
    const table = Array.from({ length: addedPoints + 2 }, (_, n) =>
      n * width <= soFar ? 0 : this.#outlook.expected([...peaks, n * width], left) - before,
    );
    const added = (kw: number): number => {
      const n = Math.min(addedPoints, Math.floor(kw / width));
      return table[n]! + (kw / width - n) * (table[n + 1]! - table[n]!);
    };
    if (this.#added.size >= maxDaysAhead) this.#added.clear();
    this.#added.set(key, added);
    return added;
  }

  #peaksBefore(day: string, today: string): number[] {
    const isThisMonth = day.slice(0, 7) === today.slice(0, 7);
    const peaks = isThisMonth ? this.book.peaks(today) : [];
    if (!this.fee.one_per_day) return peaks;
    for (let at = today; at < day; at = dateAt('UTC', Date.parse(at) + dayMs))
      if (at.slice(0, 7) === day.slice(0, 7)) peaks.push(this.expectedOf(at));
    return peaks;
  }
}

function shaverOf(storages: readonly PlanStorage[]): Shaver {
  const able = storages.filter(({ kind, discharge_w }) => kind === 'battery' && discharge_w > 0);
  const sum = (of: (storage: PlanStorage) => number): number => able.reduce((all, each) => all + of(each), 0);
  return {
    energyWh: sum(({ max_wh, min_wh, discharge_efficiency }) => (max_wh - min_wh) * discharge_efficiency),
    chargeW: sum(({ charge_w }) => charge_w),
    dischargeW: sum(({ discharge_w }) => discharge_w),
    efficiency: able[0] ? able[0].charge_efficiency * able[0].discharge_efficiency : 1,
    wearPerKwh: able[0]?.wear_per_kwh ?? 0,
  };
}
