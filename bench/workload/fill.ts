import type { Sample, TelemetryStore } from '#cloud/store/telemetry/telemetry-store.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import type { TimeSeriesPeer } from '../peers/time-series-peer.ts';
import { lineOf } from './line.ts';
import { createMeters, type Stretch } from './readings.ts';

/** The source of the readings, and the other databases that receive them. */
type Options = { readings?: (stretch: Stretch) => Iterable<Sample>; peers?: readonly TimeSeriesPeer[] };

const lateMs = 20 * 60_000; // an hour can be sealed this long after its end
const together = 5000;

/** Adds readings in the order of time and seals them, a day at a time while it has few readings. Returns their number. */
export async function fillStretch(
  telemetry: TelemetryStore,
  stretch: Stretch,
  { readings = createMeters(), peers = [] }: Options = {},
): Promise<number> {
  const { ders, from, to } = stretch;
  const windowMs = ders.length > 20 ? hourMs : dayMs;
  let count = 0;
  let sealing: Promise<unknown> = Promise.resolve();
  let writing: Promise<unknown> = Promise.resolve();
  const write = (batch: readonly Sample[]): Promise<unknown> => {
    const lines = peers.length > 0 ? batch.map(lineOf).join('') : '';
    return Promise.all([telemetry.append(batch), ...peers.map((peer) => peer.write(lines))]);
  };
  for (let start = from; start < to; ) {
    const end = Math.min(to, Math.floor(start / windowMs) * windowMs + windowMs);
    for (const batch of batches(readings({ ...stretch, from: start, to: end }))) {
      await writing; // the next batch is prepared in the meantime
      writing = write(batch);
      count += batch.length;
    }
    await Promise.all([writing, sealing]);
    sealing = telemetry.seal(Math.min(end + lateMs, to)); // while more readings arrive
    start = end;
  }
  await sealing;
  return count;
}

function* batches(samples: Iterable<Sample>): Generator<Sample[]> {
  let batch: Sample[] = [];
  for (const sample of samples) {
    if (batch.push(sample) < together) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
