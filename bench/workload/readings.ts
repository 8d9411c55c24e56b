import type { Sample } from '#cloud/store/telemetry/telemetry-store.ts';
import { createMeter, type Meter, randomFrom } from '#sim/fleet/gateway.ts';

export const stepMs = 5000;

/** Yields readings of these DERs from a time to before another. */
export type Stretch = { ders: readonly number[]; from: number; to: number; stepMs?: number; jitterMs?: number };

/** Three-phase meters whose readings are the same every time. */
export function createMeters(): (stretch: Stretch) => Generator<Sample> {
  const meters = new Map<number, Meter>();
  const random = randomFrom(7);

  function meterOf(der: number): Meter {
    const meter = meters.get(der) ?? createMeter(meters.size);
    meters.set(der, meter);
    return meter;
  }

  return function* readings({ ders, from, to, stepMs: step = stepMs, jitterMs = 0 }) {
    for (let due = from; due < to; due += step) {
      for (const der of ders) {
        const at = due + Math.floor(random() * (jitterMs + 1));
        yield { der, at, received: at * 1000, body: meterOf(der).read(at) };
      }
    }
  };
}
