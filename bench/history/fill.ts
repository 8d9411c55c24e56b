import type { Sample, TelemetryStore } from '#cloud/store/telemetry/telemetry-store.ts';
import { createMeter, type Meter, randomFrom } from '../fleet/meter.ts';
import { appendAll } from '../fleet/stored.ts';

/** Readings of these DERs from an instant to before another. */
export type Stretch = { ders: readonly number[]; from: number; to: number; stepMs: number; jitterMs?: number };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const lateMs = 20 * 60_000; // an hour can be sealed this long after its end

const meters = new Map<number, Meter>();
const random = randomFrom(7);

/** As they would have come, sealed as time went by, a day at a time while it has few readings. Returns how many. */
export async function fillStretch(telemetry: TelemetryStore, stretch: Stretch): Promise<number> {
  const { ders, from, to, stepMs } = stretch;
  const windowMs = ders.length > 20 ? hourMs : dayMs;
  for (let start = from; start < to; ) {
    const end = Math.min(to, Math.floor(start / windowMs) * windowMs + windowMs);
    await appendAll(telemetry, samples({ ...stretch, from: start, to: end }));
    await telemetry.seal(Math.min(end + lateMs, to));
    start = end;
  }
  return ders.length * Math.ceil((to - from) / stepMs);
}

function* samples({ ders, from, to, stepMs, jitterMs = 0 }: Stretch): Generator<Sample> {
  for (let due = from; due < to; due += stepMs) {
    for (const der of ders) {
      const at = due + Math.floor(random() * (jitterMs + 1));
      yield { der, at, received: at * 1000, body: meterOf(der).read(at) };
    }
  }
}

function meterOf(der: number): Meter {
  const meter = meters.get(der) ?? createMeter(der);
  meters.set(der, meter);
  return meter;
}
