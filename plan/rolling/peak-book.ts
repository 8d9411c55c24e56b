import type { PeakFee } from '#contract/plan.ts';
import { dateAt, offsetAt } from '#contract/time-zone.ts';

/** The peaks of the current month of a fee, and the window that is being measured. */
export class PeakBook {
  readonly #fee: PeakFee;
  readonly #timezone: string;
  #month = '';
  readonly #peaks = new Map<string, number>();
  #window = { key: '', energy: 0, seconds: 0, day: '' };

  constructor(fee: PeakFee, timezone: string, startMs: number) {
    this.#fee = fee;
    this.#timezone = timezone;
    this.#month = dateAt(timezone, startMs).slice(0, 7);
    for (const [n, { day, kw }] of (fee.peaks_so_far ?? []).entries())
      if (day.startsWith(this.#month)) this.#raise(fee.one_per_day ? day : `earlier ${n}`, kw);
  }

  #raise(key: string, kw: number): void {
    this.#peaks.set(key, Math.max(this.#peaks.get(key) ?? 0, kw));
  }

  #windowAt(ms: number): { key: string; day: string } {
    const offset = offsetAt(this.#timezone, ms);
    return {
      key: `${Math.floor((ms + offset) / (this.#fee.window_s * 1000))} ${offset}`,
      day: dateAt(this.#timezone, ms),
    };
  }

  /** Adds a step that is over; it lies in one window. */
  add(startMs: number, seconds: number, importKw: number, weight: number): void {
    const { key, day } = this.#windowAt(startMs);
    if (key !== this.#window.key) this.#window = { key, energy: 0, seconds: 0, day };
    this.enter(startMs);
    if (weight === 0) return;
    this.#window.energy += importKw * weight * seconds;
    this.#window.seconds += seconds;
    // The mean of a window that has not ended may still fall.
    if (this.#window.seconds >= this.#fee.window_s - 1 || seconds >= this.#fee.window_s) this.#close();
  }

  /** Closes a window that has ended, and a month that is over. */
  enter(ms: number): void {
    const { key, day } = this.#windowAt(ms);
    if (this.#window.seconds > 0 && key !== this.#window.key) this.#close();
    if (!day.startsWith(this.#month)) {
      this.#peaks.clear();
      this.#month = day.slice(0, 7);
    }
  }

  #close(): void {
    const { key, energy, seconds, day } = this.#window;
    if (seconds > 0) this.#raise(this.#fee.one_per_day ? day : key, energy / seconds);
    this.#window = { ...this.#window, energy: 0, seconds: 0 };
  }

  /** Energy in kW seconds, with its weight, and length of the current window so far. */
  get soFar(): { energy: number; seconds: number } {
    return this.#window;
  }

  peakOf(day: string): number {
    return this.#fee.one_per_day ? (this.#peaks.get(day) ?? 0) : 0;
  }

  /** Returns the peaks of the month, without those of a day. */
  peaks(withoutDay?: string): number[] {
    return [...this.#peaks].flatMap(([key, kw]) => (key === withoutDay ? [] : [kw]));
  }
}
