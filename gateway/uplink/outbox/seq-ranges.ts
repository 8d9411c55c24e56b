export type SeqRange = [first: number, last: number];

/** A set of integers stored as ranges, because consecutive samples are added and removed together. */
export class SeqRanges {
  #ranges: SeqRange[] = [];
  #size = 0;

  constructor(ranges: readonly SeqRange[] = []) {
    for (const [first, last] of ranges) this.#addRange(first, last);
  }

  get count(): number {
    return this.#size;
  }

  /** Adds a number. New numbers must be added in rising order. */
  add(seq: number): void {
    if (!this.has(seq)) this.#addRange(seq, seq);
  }

  has(seq: number): boolean {
    const range = this.#ranges[this.#firstEndingAt(seq)];
    return range !== undefined && range[0] <= seq;
  }

  /** Removes a range and returns how many of its numbers were in the set. */
  remove(first: number, last: number): number {
    const from = this.#firstEndingAt(first);
    let to = from;
    let removed = 0;
    const left: SeqRange[] = [];
    for (let range = this.#ranges[to]; range && range[0] <= last; range = this.#ranges[++to]) {
      if (range[0] < first) left.push([range[0], first - 1]);
      if (range[1] > last) left.push([last + 1, range[1]]);
      removed += Math.min(range[1], last) - Math.max(range[0], first) + 1;
    }
    if (to > from) this.#ranges.splice(from, to - from, ...left);
    this.#size -= removed;
    return removed;
  }

  /** Removes the numbers that `other` lacks, and returns how many. */
  retain(other: SeqRanges): number {
    let removed = 0;
    let next = Number.NEGATIVE_INFINITY;
    for (const [first, last] of other.list()) {
      removed += this.remove(next, first - 1);
      next = last + 1;
    }
    return removed + this.remove(next, Number.POSITIVE_INFINITY);
  }

  list(): SeqRange[] {
    return this.#ranges.map(([first, last]) => [first, last]);
  }

  #addRange(first: number, last: number): void {
    const end = this.#ranges.at(-1);
    if (end && first === end[1] + 1) end[1] = last;
    else this.#ranges.push([first, last]);
    this.#size += last - first + 1;
  }

  /** Returns the index of the first range that ends at `seq` or later, by binary search. */
  #firstEndingAt(seq: number): number {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const range = this.#ranges[middle];
      if (range && range[1] < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
