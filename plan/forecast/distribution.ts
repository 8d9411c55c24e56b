/** The expected values of a quantity. The band from low to high has 80 % of the cases. */
export type Band = { mean: number; median: number; low: number; high: number };

/** Weighted cases of a quantity. */
export class Distribution {
  readonly #sorted: readonly (readonly [value: number, weight: number])[];
  readonly #total: number;

  constructor(cases: readonly (readonly [value: number, weight: number])[]) {
    this.#sorted = cases.toSorted(([a], [b]) => a - b);
    this.#total = cases.reduce((sum, [, weight]) => sum + weight, 0);
  }

  get count(): number {
    return this.#sorted.length;
  }

  get mean(): number {
    return this.#sorted.reduce((sum, [value, weight]) => sum + value * weight, 0) / this.#total;
  }

  /** Returns the value that a share of the cases is not above, interpolated between the middles of neighbouring cases. */
  quantile(share: number): number {
    const wanted = share * this.#total;
    let [below, before] = [0, Number.NaN]; // weight of the cases before, and value of the case before
    let middleBefore = 0;
    for (const [value, weight] of this.#sorted) {
      const middle = below + weight / 2;
      if (middle >= wanted)
        return Number.isNaN(before)
          ? value
          : before + ((value - before) * (wanted - middleBefore)) / (middle - middleBefore);
      below += weight;
      middleBefore = middle;
      before = value;
    }
    return before;
  }

  /** Returns the mean of each of several equally likely parts, lowest first. */
  parts(count: number): number[] {
    const sums = new Array<number>(count).fill(0);
    const share = this.#total / count;
    let at = 0;
    for (const [value, weight] of this.#sorted) {
      const end = at + weight;
      for (let part = Math.min(count - 1, Math.floor(at / share)); part < count; part++) {
        const inside = Math.min(end, (part + 1) * share) - Math.max(at, part * share);
        if (inside <= 0) break;
        sums[part]! += value * inside;
      }
      at = end;
    }
    return sums.map((sum) => sum / share);
  }

  band(): Band {
    return { mean: this.mean, median: this.quantile(0.5), low: this.quantile(0.1), high: this.quantile(0.9) };
  }
}
