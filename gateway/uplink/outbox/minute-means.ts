import { isCounter } from '#contract/telemetry.ts';
import { minuteMs } from '#contract/time.ts';
import { type Sample, timeOf, withSeq } from './segment.ts';

type Reading = Record<string, unknown>;

/** Averages the samples of each DER over each minute. */
export class MinuteMeans {
  readonly #minutes = new Map<string, Minute>();

  add(sample: Sample): void {
    const key = `${sample.source} ${Math.floor(timeOf(sample) / minuteMs)}`;
    const minute = this.#minutes.get(key);
    if (minute) minute.add(sample);
    else this.#minutes.set(key, new Minute(sample));
  }

  /** Returns how many numbers `samples` will need. */
  get size(): number {
    return this.#minutes.size;
  }

  /** Returns the means as new samples with new numbers, also for a minute with a single sample. */
  samples(firstSeq: number): Sample[] {
    return [...this.#minutes.values()].map((minute, index) => minute.mean(firstSeq + index));
  }
}

class Minute {
  readonly #source: string;
  readonly #sums = new Map<string, { sum: number; count: number }>();
  #last: Reading = {};

  constructor(first: Sample) {
    this.#source = first.source;
    this.add(first);
  }

  add({ json }: Sample): void {
    const { seq: _, ...reading }: Reading = JSON.parse(json);
    this.#last = { ...this.#last, ...reading };
    for (const [name, value] of Object.entries(reading)) {
      if (typeof value !== 'number' || isCounter(name)) continue;
      const known = this.#sums.get(name);
      if (known) {
        known.sum += value;
        known.count += 1;
      } else this.#sums.set(name, { sum: value, count: 1 });
    }
  }

  mean(seq: number): Sample {
    const means = Object.fromEntries(
      [...this.#sums].map(([name, { sum, count }]) => [name, rounded(name, sum / count)]),
    );
    return { seq, source: this.#source, json: withSeq(JSON.stringify({ ...this.#last, ...means }), seq) };
  }
}

/** Rounds times to integers and values to seven digits, more than any device measures. */
function rounded(name: string, mean: number): number {
  return name === 'timestamp' || name === 'read_time_ms' ? Math.round(mean) : Number(mean.toPrecision(7));
}
