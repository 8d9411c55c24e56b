import type { Resolution } from '#contract/cloud/telemetry.ts';
import { dayMs, hourMs } from '#contract/time.ts';

/** How much is asked for at once: a few thousand rows, whatever the range. Whole buckets, so that none is cut in two. */
const sliceMs: Record<Resolution, number> = {
  raw: hourMs,
  '1m': 2 * dayMs,
  '5m': 7 * dayMs,
  '15m': 28 * dayMs,
  '1h': 112 * dayMs,
  '1d': 3650 * dayMs,
};

export type Slice = { from: number; to: number };

export function* slicesOf({ from, to }: Slice, resolution: Resolution): Generator<Slice> {
  const width = sliceMs[resolution];
  for (let start = from; start < to; ) {
    const end = Math.min(to, (Math.floor(start / width) + 1) * width);
    yield { from: start, to: end };
    start = end;
  }
}
