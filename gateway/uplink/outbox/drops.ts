import type { DropReason } from '#contract/gateway/status.ts';

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
