import { EventEmitter, once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { DerReading } from '#contract/gateway/reading.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { TrustedTime } from '../../trusted-time.ts';
import type { OutboxLimits } from '../limits.ts';
import { openOutbox } from '../outbox.ts';
import type { Sample } from '../segment.ts';

/** A clock that is set, and one that is not: both stand still until they are told to move. */
export function createTwoClocks(now = Date.parse('2026-06-01T12:00:00Z')) {
  const state = { now, sinceStart: 1000 };
  return {
    clock: { now: () => state.now },
    monotonic: { now: () => state.sinceStart },
    advance(ms: number) {
      state.now += ms;
      state.sinceStart += ms;
    },
    /** Somebody sets the clock. */
    set(ms: number) {
      state.now = ms;
    },
    /** The machine starts anew. */
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

/** An outbox in quick motion. */
export async function openTrial(
  folder: string,
  limits: Partial<OutboxLimits> = {},
  { clocks = createTwoClocks(), boot = 'first', log = silent, isTimeKnown }: TrialOptions = {},
) {
  const time = new TrustedTime(clocks.clock, clocks.monotonic, isTimeKnown);
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
    /** Adds readings and waits until they are safe. */
    async keep(readings: readonly DerReading[]): Promise<Sample[]> {
      const before = safe.length;
      for (const reading of readings) outbox.add('INV-1/pv', reading);
      while (safe.length < before + readings.length) await once(news, 'safe');
      return safe.slice(before);
    },
    /** Waits until it has looked at the clock once more, and done what it thinks of it. */
    async upkeep(): Promise<void> {
      await once(news, 'look');
      await once(news, 'look');
    },
    /** All that waits, in the order it would be sent. */
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
