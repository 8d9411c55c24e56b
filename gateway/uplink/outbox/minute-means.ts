import { isCounter } from '#contract/telemetry.ts';
import { minuteMs } from '#contract/time.ts';
import { type Sample, timeOf, withSeq } from './segment.ts';

type Reading = Record<string, unknown>;
type Minute = { source: string; last: Reading; sums: Map<string, { sum: number; count: number }> };

/** Averages the samples of each DER over each minute. */
export class MinuteMeans {
  readonly #minutes = new Map<string, Minute>();

  add(sample: Sample): void {
    const { source, json } = sample;
    const key = `${source} ${Math.floor(timeOf(sample) / minuteMs)}`;
    const minute = this.#minutes.get(key) ?? { source, last: {}, sums: new Map() };
    this.#minutes.set(key, minute);
    const { seq: _, ...reading }: Reading = JSON.parse(json);
    Object.assign(minute.last, reading);
    for (const [name, value] of Object.entries(reading)) {
      if (typeof value !== 'number' || isCounter(name)) continue;
      const { sum, count } = minute.sums.get(name) ?? { sum: 0, count: 0 };
      minute.sums.set(name, { sum: sum + value, count: count + 1 });
    }
  }

  /** Returns how many numbers `samples` will need. */
  get size(): number {
    return this.#minutes.size;
  }

  /** Returns the means as new samples with new numbers, also for a minute with a single sample. */
  samples(firstSeq: number): Sample[] {
    return [...this.#minutes.values()].map(({ source, last, sums }, index) => {
      const seq = firstSeq + index;
      const means = Array.from(sums, ([name, { sum, count }]) => [name, rounded(name, sum / count)]);
      return { seq, source, json: withSeq(JSON.stringify({ ...last, ...Object.fromEntries(means) }), seq) };
    });
  }
}

/** Rounds times to integers and values to seven digits, more than any device measures. */
function rounded(name: string, mean: number): number {
  return name === 'timestamp' || name === 'read_time_ms' ? Math.round(mean) : Number(mean.toPrecision(7));
}
