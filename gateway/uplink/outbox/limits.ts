import type { DropReason } from '#contract/gateway/status.ts';
import { dayMs, hourMs } from '#contract/time.ts';

export type OutboxLimits = {
  /** how long samples are collected for one write; longer reduces wear of the disk, shorter sends them sooner */
  commitMs: number;
  /** a file is finished at this size or age */
  segmentBytes: number;
  segmentMs: number;
  /** older samples are thinned to minute means */
  fullRateMs: number;
  /** older samples are dropped */
  maxAgeMs: number;
  /** when the outbox is larger, the oldest samples are thinned, then dropped */
  maxBytes: number;
  /** when the disk has less free space, the oldest samples are thinned */
  minFreeBytes: number;
  /** samples held in memory while writing fails */
  maxUnwritten: number;
  /** how often the limits are enforced */
  upkeepMs: number;
};

export const defaultLimits: OutboxLimits = {
  commitMs: 100,
  segmentBytes: 4 * 2 ** 20,
  segmentMs: hourMs,
  fullRateMs: 7 * dayMs,
  maxAgeMs: 30 * dayMs,
  maxBytes: 2 ** 30,
  minFreeBytes: 32 * 2 ** 20,
  maxUnwritten: 20_000,
  upkeepMs: 10_000,
};

export type Drops = { note(reason: DropReason, count: number): void; counts(): Partial<Record<DropReason, number>> };

/** Counts dropped samples by reason. */
export function createDrops(): Drops {
  const counts: Partial<Record<DropReason, number>> = {};
  return {
    note(reason, count) {
      if (count > 0) counts[reason] = (counts[reason] ?? 0) + count;
    },
    counts: () => ({ ...counts }),
  };
}
