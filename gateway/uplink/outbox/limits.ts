import type { DropReason } from '#contract/gateway/status.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';

export const defaultLimits = {
  /** how long samples are collected for one write; longer reduces wear of the disk, shorter sends them sooner */
  commitMs: 100,
  /** a file is finished at this size or age */
  segmentBytes: 4 * 2 ** 20,
  segmentMs: hourMs,
  /** older samples are thinned to minute means */
  fullRateMs: 7 * dayMs,
  /** older samples are dropped */
  maxAgeMs: 30 * dayMs,
  /** when the outbox is larger, the oldest samples are thinned, then dropped */
  maxBytes: 2 ** 30,
  /** when the disk has less free space, the oldest samples are thinned */
  minFreeBytes: 32 * 2 ** 20,
  /** samples held in memory while writing fails */
  maxUnwritten: 20_000,
  /** how often the limits are enforced */
  upkeepMs: 10_000,
};

export type OutboxLimits = typeof defaultLimits;

/** The dependencies that all parts of the outbox share. */
export type OutboxContext = { folder: string; limits: OutboxLimits; monotonic: Clock; drops: Drops; log: Logger };

export type Drops = ReturnType<typeof createDrops>;

export function createDrops() {
  const counts: Partial<Record<DropReason, number>> = {};
  return {
    note(reason: DropReason, count: number): void {
      if (count > 0) counts[reason] = (counts[reason] ?? 0) + count;
    },
    counts: () => ({ ...counts }),
  };
}
