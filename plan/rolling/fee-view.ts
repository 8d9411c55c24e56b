import type { PeakFee, PlanStorage } from '#contract/plan.ts';
import { addDays, dateAt, startOfDate } from '#contract/time-zone.ts';
import { feeOf } from '../peaks.ts';
import { type CountedDay, LearnedDays } from './learned-days.ts';
import { PeakOutlook, type Shaver } from './outlook.ts';
import { PeakBook } from './peak-book.ts';
import type { Series } from './world.ts';

const addedPoints = 60;
const maxDaysAhead = 4;
const maxLimits = 80; // that are compared
const daysInSight = 2; // of the next month

/** The days of a month from a day on that count, the last one first. */
type MonthAhead = { outlook: PeakOutlook; dates: string[]; typical: Map<string, number> };

/** A power charge as the rolling planner sees it: the peaks so far, and what the rest of the month may add. */
export class FeeView {
  readonly fee: PeakFee;
  readonly book: PeakBook;
  readonly #series: Series;
  readonly #timezone: string;
  readonly #shaver: Shaver;
  readonly #endMs: number; // of what is paid for
  readonly #learned: LearnedDays;
  #ahead = new Map<string, MonthAhead>();
  #learnedOn = '';
  #top = 1;
  /** by day to come, the peak that is expected of it */
  readonly #expected = new Map<string, number>();
  /** what imports add, of the days that are planned */
  readonly #added = new Map<string, (kw: number) => number>();

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
    this.#learned = new LearnedDays(series, timezone, fee.window_s * 1000, this.#shaver, (step) => this.weightAt(step));
  }

  weightAt(step: number): number {
    return this.fee.counted?.[step] === false ? 0 : (this.fee.weight?.[step] ?? 1);
  }

  /** Returns the highest share at which each peak of another charge on a day is certain to be a peak of this one too. */
  shareOf(other: FeeView, day: string): number {
    const { fee } = this;
    if (fee.window_s !== other.fee.window_s || (!fee.one_per_day && fee.count > 1)) return 0;
    const weights = this.#learned.patternOf(day)?.weights ?? [];
    let least = Number.POSITIVE_INFINITY;
    for (const [slot, weight] of (other.#learned.patternOf(day)?.weights ?? []).entries())
      if (weight > 0) least = Math.min(least, (weights[slot] ?? 0) / weight);
    return Number.isFinite(least) ? least : 0;
  }

  /** The mean price of a kW, up to a peak that is hardly ever exceeded. */
  get pricePerKw(): number {
    return feeOf(this.fee, this.#top) / this.#top;
  }

  /** A peak in kW that is hardly ever exceeded. */
  get top(): number {
    return this.#top;
  }

  /** Returns a peak in kW below which nothing differs until a day, so that values need no lower ones. */
  bottom(today: string, lastDay: string): number {
    let typical = this.#top;
    for (let day = today; day <= lastDay; day = addDays(day, 1))
      if (this.#learned.patternOf(day)) typical = Math.min(typical, this.#typicalOf(day));
    const lowest = typical * 0.4;
    const { count } = this.fee;
    const charged = this.book.peaks(today).toSorted((a, b) => b - a)[count - 1] ?? 0;
    const isOneMonth = today.slice(0, 7) === lastDay.slice(0, 7);
    return isOneMonth ? Math.min(Math.max(lowest, charged), this.#top * 0.9) : lowest;
  }

  /** The fee for each kW above the top. */
  get beyond(): number {
    return (feeOf(this.fee, this.#top + 1) - feeOf(this.fee, this.#top)) / this.fee.count;
  }

  /** Learns, once a day, at which peaks the recent days could have been kept if they counted like those to come. */
  learn(now: number): void {
    const { startMs, stepMs } = this.#series;
    const nowMs = startMs + now * stepMs;
    const today = dateAt(this.#timezone, nowMs);
    this.book.enter(nowMs);
    if (today === this.#learnedOn) return;
    this.#learnedOn = today;
    this.#learned.update(now);
    for (const day of this.#expected.keys()) if (day < today) this.#expected.delete(day);
    const months = [this.#countedFrom(today)];
    const inSight = addDays(today, daysInSight);
    if (inSight.slice(0, 7) !== today.slice(0, 7)) months.push(this.#countedFrom(`${inSight.slice(0, 7)}-01`));
    const days = months.map((dates) => {
      const sunOf = middleOfWeek(dates[Math.floor(dates.length / 2)] ?? today);
      return dates.map((date) => this.#learned.like(this.#learned.patternOf(date)!, sunOf));
    });
    const highest = days.flat(2).map((day) => day.highest);
    this.#top = Math.max(1, ...highest, ...this.book.peaks()) * 1.2;
    this.#ahead = new Map();
    for (const [n, dates] of months.entries()) {
      const month = (n === 0 ? today : inSight).slice(0, 7);
      const earlier = n === 0 ? this.book.peaks() : [];
      this.#ahead.set(month, this.#monthAhead(dates, days[n]!, earlier));
    }
  }

  /** Returns the days of a month that count and are paid for, from a day on, the last one first. */
  #countedFrom(day: string): string[] {
    const dates: string[] = [];
    const month = day.slice(0, 7);
    for (let at = day; at.startsWith(month) && startOfDate(this.#timezone, at) < this.#endMs; at = addDays(at, 1))
      if (this.#learned.patternOf(at)) dates.unshift(at);
    return dates;
  }

  /**
   * Looks at the days of a month that are left. A peak in kW may pay for itself in them, because they can then buy more energy when it is
   * cheap, although each day alone would save too little for it.
   */
  #monthAhead(dates: string[], days: CountedDay[][], earlier: number[]): MonthAhead {
    const highest = this.#top + this.#shaver.chargeW / 1000;
    // A power of two, so that other days compare the same limits and costs are calculated once.
    const distance = 2 ** Math.ceil(Math.log2(highest / maxLimits));
    const groups = [...Map.groupBy(dates.keys(), (n) => this.#learned.patternOf(dates[n]!)!.key).values()];
    const attainable = new Array<number[]>(dates.length);
    for (const group of groups) {
      const sorted = days[group[0]!]!.map((day) => day.attainable).toSorted((a, b) => a - b);
      for (const n of group) attainable[n] = sorted;
    }
    const energyCost = (limit: number): number =>
      groups.reduce((sum, group) => {
        const past = days[group[0]!]!;
        return sum + (past.reduce((all, day) => all + day.costBelow(limit), 0) / past.length) * group.length;
      }, 0);
    let [outlook, bestCost, paying] = [new PeakOutlook(this.fee, attainable), Number.POSITIVE_INFINITY, 0];
    if (this.#shaver.energyWh > 0 && (days[0]?.length ?? 0) > 0)
      for (let limit = 0; limit <= highest; limit += distance) {
        const atLimit = new PeakOutlook(this.fee, attainable, limit);
        const cost = atLimit.expected(earlier, dates.length) + energyCost(limit);
        if (cost < bestCost - 1e-6) [outlook, bestCost, paying] = [atLimit, cost, limit];
      }
    this.#top = Math.max(this.#top, paying);
    const medianOf = (sorted: number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0;
    const typical = new Map(dates.map((date, n) => [date, Math.max(paying, medianOf(attainable[n]!))]));
    return { outlook, dates, typical };
  }

  expect(day: string, kw: number): void {
    this.#expected.set(day, kw);
  }

  expectedOf(day: string): number {
    return Math.max(this.book.peakOf(day), this.#expected.get(day) ?? this.#typicalOf(day));
  }

  #typicalOf(day: string): number {
    return this.#ahead.get(day.slice(0, 7))?.typical.get(day) ?? 0;
  }

  /** Returns the expected fee of a month from peaks of days up to a day. */
  #expectedFee(day: string, peaks: readonly number[]): number {
    const ahead = this.#ahead.get(day.slice(0, 7));
    return (ahead?.outlook ?? new PeakOutlook(this.fee, [])).expected(peaks, this.#daysAfter(day));
  }

  /** Returns the number of days of its month that follow a day, count, and are paid for. */
  #daysAfter(day: string): number {
    const dates = this.#ahead.get(day.slice(0, 7))?.dates ?? [];
    const n = dates.findIndex((date) => date <= day);
    return n < 0 ? dates.length : n;
  }

  /** Returns the expected fee of a month by the peak of a day, which follows other days from today on. */
  feeByPeakOf(day: string, today: string): (kw: number) => number {
    const peaks = this.#peaksBefore(day, today);
    const isCounted = this.#learned.patternOf(day) !== undefined;
    const known = new Map<number, number>();
    return (kw) => {
      const fee = known.get(kw) ?? this.#expectedFee(day, isCounted ? [...peaks, kw] : peaks);
      known.set(kw, fee);
      return fee;
    };
  }

  /** Returns what an import adds to the fee, if a day may count several times or its highest peak so far is known. */
  addedBy(day: string, today: string): (kw: number) => number {
    const peaks = this.#peaksBefore(day, today);
    const left = this.#daysAfter(day);
    const soFar = day === today ? this.book.peakOf(day) : 0;
    const key = [today, day.slice(0, 7), left, soFar, ...peaks].join();
    const known = this.#added.get(key);
    if (known) return known;
    const before = this.#expectedFee(day, [...peaks, soFar]);
    // Asked for every power of every level: a table, because the expectation itself takes too long.
    const width = this.#top / addedPoints;
    const table = Array.from({ length: addedPoints + 2 }, (_, n) =>
      n * width <= soFar ? 0 : this.#expectedFee(day, [...peaks, n * width]) - before,
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
    for (let at = today; at < day; at = addDays(at, 1))
      if (at.slice(0, 7) === day.slice(0, 7) && this.#learned.patternOf(at)) peaks.push(this.expectedOf(at));
    return peaks;
  }
}

/** Returns the middle of the week of the month that a date is in, so that days to learn from are seldom computed again. */
function middleOfWeek(date: string): string {
  const week = Math.min(3, Math.floor((Number(date.slice(8)) - 1) / 7));
  return `${date.slice(0, 8)}${String(week * 7 + 4).padStart(2, '0')}`;
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
