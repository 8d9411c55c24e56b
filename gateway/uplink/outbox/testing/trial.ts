import { EventEmitter, once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { DerReading } from '#contract/gateway/reading.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { createTrustedTime } from '../../trusted-time.ts';
import type { OutboxLimits } from '../limits.ts';
import { openOutbox } from '../outbox.ts';
import type { Sample } from '../segment.ts';

/** Creates a settable clock and a monotonic one; both advance only on request. */
export function createTwoClocks(now = Date.parse('2026-06-01T12:00:00Z')) {
  const state = { now, sinceStart: 1000 };
  return {
    clock: { now: () => state.now },
    monotonic: { now: () => state.sinceStart },
    advance(ms: number) {
      state.now += ms;
      state.sinceStart += ms;
    },
    /** Sets the time of day. */
    set(ms: number) {
      state.now = ms;
    },
    /** Reboots the machine. */
    restart(ms: number) {
      state.now = ms;
      state.sinceStart = 0;
    },
  };
}

type TrialOptions = {
  clocks?: ReturnType<typeof createTwoClocks>;
  boot?: string;
  log?: Logger;
  isTimeKnown?: () => boolean;
};

const silent = createLog({ level: 'silent', name: 'test' });

/** Opens an outbox with short intervals. */
export async function openTrial(
  folder: string,
  limits: Partial<OutboxLimits> = {},
  { clocks = createTwoClocks(), boot = 'first', log = silent, isTimeKnown }: TrialOptions = {},
) {
  const time = createTrustedTime(clocks.clock, clocks.monotonic, isTimeKnown);
  const news = new EventEmitter<{ safe: []; look: [] }>();
  const { steadyNow } = time;
  time.steadyNow = () => {
    news.emit('look');
    return steadyNow.call(time);
  };
  const outbox = await openOutbox({
    folder,
    time,
    monotonic: clocks.monotonic,
    boot,
    limits: { commitMs: 1, upkeepMs: 5, ...limits },
    log,
  });
  const safe: Sample[] = [];
  outbox.onReady((samples) => {
    safe.push(...samples);
    news.emit('safe');
  });
  return {
    outbox,
    clocks,
    safe,
    files: async () => (await readdir(folder)).filter((name) => /^\d/.test(name)).sort(),
    /** Adds readings and waits until they are on disk. */
    async keep(readings: readonly DerReading[]): Promise<Sample[]> {
      const before = safe.length;
      for (const reading of readings) outbox.add('INV-1/pv', reading);
      while (safe.length < before + readings.length) await once(news, 'safe');
      return safe.slice(before);
    },
    /** Waits for one complete round of upkeep. */
    async upkeep(): Promise<void> {
      await once(news, 'look');
      await once(news, 'look');
    },
    /** Returns the queued samples in sending order. */
    async rest(): Promise<Sample[]> {
      outbox.backlog.rewind();
      return outbox.backlog.next(Number.POSITIVE_INFINITY, () => false);
    },
    close: () => outbox.close(),
  };
}

export const readingAt = (
  timestamp: number,
  values: object = { W: -2500, total_generation_Wh: 123_456 },
): DerReading => ({
  type: 'pv',
  timestamp,
  read_time_ms: 12,
  make: 'Sungrow',
  ...values,
});

export const readingsFrom = (timestamp: number, count: number, stepMs = 1000): DerReading[] =>
  Array.from({ length: count }, (_, index) => readingAt(timestamp + index * stepMs));
