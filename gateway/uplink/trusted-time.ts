import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  readonly #clock: Clock;
  readonly #monotonic: Clock;
  readonly #isKnown: () => boolean;
  #offset: number;
  #steadySince: number;

  constructor(clock: Clock, monotonic: Clock, isKnown = (): boolean => true) {
    this.#clock = clock;
    this.#monotonic = monotonic;
    this.#isKnown = isKnown;
    this.#offset = this.offsetNow();
    this.#steadySince = monotonic.now();
  }

  /** Undefined while the clock shows what cannot be, or nobody knows yet whether it is right. */
  now(): number | undefined {
    return this.#isKnown() ? this.shown() : undefined;
  }

  /** Undefined while the clock shows what cannot be. */
  shown(): number | undefined {
    const now = this.#clock.now();
    return isPlausible(now) ? now : undefined;
  }

  /** Undefined until the clock has gone on for an hour without being set: nothing is thrown away because of a jump. */
  steadyNow(): number | undefined {
    const offset = this.offsetNow();
    if (Math.abs(offset - this.#offset) > jumpMs) this.#steadySince = this.#monotonic.now();
    this.#offset = offset;
    return this.#monotonic.now() - this.#steadySince >= steadyMs ? this.now() : undefined;
  }

  /** What must be added to the time since the machine started. */
  offsetNow(): number {
    return this.#clock.now() - this.#monotonic.now();
  }

  /** Time since the machine started of an instant that the clock named, maybe wrongly. */
  sinceStart(ms: number): number {
    return Math.round(ms - this.offsetNow());
  }
}

type Places = {
  /** where systemd-timesyncd, if it runs, leaves a file once it has asked the network for the time */
  timesync: string;
  /** what the clock of the hardware says, s */
  hardwareClock: string;
};

const usualPlaces: Places = { timesync: '/run/systemd/timesync', hardwareClock: '/sys/class/rtc/rtc0/since_epoch' };

const agreementMs = 60_000;
const patienceMs = 600_000; // a router that lost its power too needs some minutes; a house may have no network at all

/**
 * Whether somebody knows the time. After a power cut a machine without a battery goes on from the time that it saved last;
 * this is believed when the network has told the time, or has not for ten minutes from the start of the machine.
 */
export function createKnownTime(
  { clock, monotonic }: { clock: Clock; monotonic: Clock },
  { timesync, hardwareClock }: Places = usualPlaces,
): () => boolean {
  let isKnown = false;

  function hasBattery(): boolean {
    try {
      const ms = Number(readFileSync(hardwareClock, 'utf8')) * 1000;
      return isPlausible(ms) && Math.abs(ms - clock.now()) < agreementMs;
    } catch {
      return false;
    }
  }

  return () => {
    isKnown ||= monotonic.now() >= patienceMs || existsSync(join(timesync, 'synchronized')) || hasBattery();
    return isKnown || !existsSync(timesync);
  };
}

/** Which start of the machine the monotonic time counts from; where nobody tells, this process stands for it. */
export async function readBootId(): Promise<string> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  } catch {
    return randomUUID();
  }
}
