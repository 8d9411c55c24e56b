import type { DropReason } from '#contract/gateway/status.ts';
import { dayMs, hourMs } from '#contract/time.ts';

export type OutboxLimits = {
  /** how long samples are gathered for one write; longer spares the card, shorter shows them sooner */
  commitMs: number;
  /** a file is finished at this size, or when this much time has passed */
  segmentBytes: number;
  segmentMs: number;
  /** older samples are thinned to the mean of each minute */
  fullRateMs: number;
  /** older ones are dropped */
  mostMs: number;
  /** when the outbox is larger the oldest samples are thinned, then dropped */
  mostBytes: number;
  /** when the disk has less room than this the oldest samples are thinned */
  minFreeBytes: number;
  /** samples in memory that could not be written yet */
  mostUnwritten: number;
  /** how often the limits are looked after */
  upkeepMs: number;
};

export const defaultLimits: OutboxLimits = {
  commitMs: 100,
  segmentBytes: 4 * 2 ** 20,
  segmentMs: hourMs,
  fullRateMs: 7 * dayMs,
  mostMs: 30 * dayMs,
  mostBytes: 2 ** 30,
  minFreeBytes: 32 * 2 ** 20,
  mostUnwritten: 20_000,
  upkeepMs: 10_000,
};

export type Drops = { note(reason: DropReason, count: number): void; counts(): Partial<Record<DropReason, number>> };

export function createDrops(): Drops {
  const counts: Partial<Record<DropReason, number>> = {};
  return {
    note(reason, count) {
      if (count > 0) counts[reason] = (counts[reason] ?? 0) + count;
    },
    counts: () => ({ ...counts }),
  };
}
