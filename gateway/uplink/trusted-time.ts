import { hourMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';

const first = Date.UTC(2025, 0, 1); // before this program was written it cannot run
const end = Date.UTC(2100, 0, 1);
const jumpMs = 60_000;
const steadyMs = hourMs;

export const isPlausible = (ms: number): boolean => ms >= first && ms < end;

/**
 * What the time is, as far as the clock can be believed: without a battery it begins after a power cut in 1970, or where it
 * was before.
 */
export class TrustedTime {
  private readonly clock: Clock;
  private readonly monotonic: Clock;
  private readonly isKnown: () => boolean;
  private offset: number;
  private steadySince: number;

  constructor(clock: Clock, monotonic: Clock, isKnown = (): boolean => true) {
    this.clock = clock;
    this.monotonic = monotonic;
    this.isKnown = isKnown;
    this.offset = this.offsetNow();
    this.steadySince = monotonic.now();
  }

  /** Undefined while the clock shows what cannot be, or nobody knows yet whether it is right. */
  now(): number | undefined {
    return this.isKnown() ? this.shown() : undefined;
  }

  /** Undefined while the clock shows what cannot be. */
  shown(): number | undefined {
    const now = this.clock.now();
    return isPlausible(now) ? now : undefined;
  }

  /** Undefined until the clock has gone on for an hour without being set: nothing is thrown away because of a jump. */
  steadyNow(): number | undefined {
    const offset = this.offsetNow();
    if (Math.abs(offset - this.offset) > jumpMs) this.steadySince = this.monotonic.now();
    this.offset = offset;
    return this.monotonic.now() - this.steadySince >= steadyMs ? this.now() : undefined;
  }

  /** What must be added to the time since the machine started. */
  offsetNow(): number {
    return this.clock.now() - this.monotonic.now();
  }

  /** Time since the machine started of an instant that the clock named, maybe wrongly. */
  sinceStart(ms: number): number {
    return Math.round(ms - this.offsetNow());
  }
}
