import { isCounter } from '#contract/telemetry.ts';
import type { Sample } from '../telemetry-store.ts';
import type { Bucket, Reading } from './answers.ts';

/** A simple model of the telemetry store, to compare its answers with. */
export class NaiveTelemetry {
  readonly #samples = new Map<string, Sample>();

  append(samples: readonly Sample[]): void {
    for (const sample of samples) {
      const key = `${sample.der} ${sample.at}`;
      if (!this.#samples.has(key)) this.#samples.set(key, sample);
    }
  }

  /** Returns whether the sample received then was the first of its instant. */
  hasFirst(received: number): boolean {
    return [...this.#samples.values()].some((sample) => sample.received === received);
  }

  arrivedAfter(ders: readonly number[], received: number): Sample[] {
    return [...this.#samples.values()]
      .filter((sample) => ders.includes(sample.der) && sample.received > received)
      .sort((a, b) => a.received - b.received);
  }

  latest(der: number): Reading | undefined {
    return this.raw(der, 0, Number.MAX_SAFE_INTEGER).at(-1);
  }

  raw(der: number, from: number, to: number, fields?: readonly string[]): Reading[] {
    return [...this.#samples.values()]
      .filter((sample) => sample.der === der && sample.at >= from && sample.at < to)
      .sort((a, b) => a.at - b.at)
      .map(({ at, body }) => ({ at, values: numbersOf(body, fields) }));
  }

  buckets(der: number, edges: readonly number[], fields?: readonly string[]): Bucket[] {
    return edges.slice(1).flatMap((end, i) => {
      const bucket: Bucket = { start: edges[i]!, fields: {} };
      const readings = this.raw(der, bucket.start, end, fields);
      for (const name of new Set(readings.flatMap(({ values }) => Object.keys(values)))) {
        const values = readings.flatMap((reading) => reading.values[name] ?? []);
        const last = values.at(-1)!;
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        bucket.fields[name] = isCounter(name)
          ? { mean: last, min: last, max: last, last }
          : { mean, min: Math.min(...values), max: Math.max(...values) };
      }
      return Object.keys(bucket.fields).length > 0 ? [bucket] : [];
    });
  }
}

function numbersOf(body: string, fields?: readonly string[]): Record<string, number> {
  const numbers = Object.entries(JSON.parse(body) as Record<string, unknown>).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && (!fields || fields.includes(entry[0])),
  );
  return Object.fromEntries(numbers.map(([name, value]) => [name, value + 0]));
}
