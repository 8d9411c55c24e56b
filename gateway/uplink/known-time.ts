import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { isPlausible } from './trusted-time.ts';

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
