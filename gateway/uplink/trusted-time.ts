import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hourMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';

const first = Date.UTC(2025, 0, 1); // before this program was written
const end = Date.UTC(2100, 0, 1);
const jumpMs = 60_000;

export const isPlausible = (ms: number): boolean => ms >= first && ms < end;

export type TrustedTime = ReturnType<typeof createTrustedTime>;

/** Returns the time of day where it can be trusted: without a battery the clock restarts in 1970 or at a saved time. */
export function createTrustedTime(clock: Clock, monotonic: Clock, isKnown = (): boolean => true) {
  /** Returns the offset from monotonic time to the time of day. */
  const offsetNow = (): number => clock.now() - monotonic.now();
  let lastOffset = offsetNow();
  let steadySince = monotonic.now();

  /** Returns undefined while the clock shows an implausible time. */
  function shown(): number | undefined {
    const now = clock.now();
    return isPlausible(now) ? now : undefined;
  }

  /** Returns undefined while the clock shows an implausible time or has not been confirmed. */
  const now = (): number | undefined => (isKnown() ? shown() : undefined);

  return {
    now,
    shown,
    offsetNow,
    /** Returns undefined until the clock has run for an hour without being set, so that a jump discards no samples. */
    steadyNow(): number | undefined {
      const offset = offsetNow();
      if (Math.abs(offset - lastOffset) > jumpMs) steadySince = monotonic.now();
      lastOffset = offset;
      return monotonic.now() - steadySince >= hourMs ? now() : undefined;
    },
    /** Converts a time of this clock, which may be wrong, to monotonic time. */
    sinceStart: (ms: number): number => Math.round(ms - offsetNow()),
  };
}

const systemSources = {
  /** folder of systemd-timesyncd, which creates a file there once it has synchronised */
  timesync: '/run/systemd/timesync',
  /** file with the time of the hardware clock, s */
  hardwareClock: '/sys/class/rtc/rtc0/since_epoch',
};

const maxDifferenceMs = 60_000;
const maxWaitMs = 600_000; // a router that lost its power too needs some minutes; a house may have no network at all

/** Returns a check whether NTP or the hardware clock confirms the time of day, or ten minutes have passed. */
export function createKnownTime(
  { clock, monotonic }: { clock: Clock; monotonic: Clock },
  { timesync, hardwareClock } = systemSources,
): () => boolean {
  let isKnown = false;

  function isHardwareClockRight(): boolean {
    try {
      const ms = Number(readFileSync(hardwareClock, 'utf8')) * 1000;
      return isPlausible(ms) && Math.abs(ms - clock.now()) < maxDifferenceMs;
    } catch {
      return false;
    }
  }

  return () => {
    isKnown ||= monotonic.now() >= maxWaitMs || existsSync(join(timesync, 'synchronized')) || isHardwareClockRight();
    return isKnown || !existsSync(timesync);
  };
}

/** Returns an id of this boot, which the monotonic time counts from; a random one where the system has none. */
export async function readBootId(): Promise<string> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  } catch {
    return randomUUID();
  }
}
