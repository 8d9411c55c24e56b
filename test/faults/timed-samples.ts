import type { Outbox } from '#gateway/uplink/outbox/outbox.ts';
import { timeOf } from '#gateway/uplink/outbox/segment.ts';

/** Measures the time from taking a sample until the platform has acknowledged it. */
export function timeSamples() {
  const takenAt = new Map<number, number>(); // by their time
  const onTheirWay = new Map<number, number>(); // by their number
  const tookMs: number[] = [];
  return {
    tookMs,
    /** Takes a unique sample of this time now. */
    take: (at: number) => void takenAt.set(at, performance.now()),
    watched: (outbox: Outbox): Outbox => ({
      ...outbox,
      onReady: (listener) =>
        outbox.onReady((samples) => {
          for (const sample of samples) {
            const began = takenAt.get(timeOf(sample));
            if (began !== undefined) onTheirWay.set(sample.seq, began);
            takenAt.delete(timeOf(sample));
          }
          listener(samples);
        }),
      acknowledge(ranges) {
        for (const [first, last] of ranges) {
          for (const [seq, began] of onTheirWay) {
            if (seq < first || seq > last) continue;
            tookMs.push(performance.now() - began);
            onTheirWay.delete(seq);
          }
        }
        return outbox.acknowledge(ranges);
      },
    }),
  };
}
