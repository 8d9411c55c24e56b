/** A map with a maximum size: when it is full, the least recently used entries are removed. */
export class RecentMap<Value> {
  readonly #entries = new Map<string, Value>(); // in order of use, the least recent first
  readonly #maxSize: number;
  readonly #sizeOf: (value: Value) => number;
  #size = 0;

  /** `sizeOf` returns what a value counts, 1 by default. A value that is larger than the map is not kept. */
  constructor(maxSize: number, sizeOf: (value: Value) => number = () => 1) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || this.#size * 2 < this.#maxSize) return value; // far from full the order does not matter
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.delete(key);
    const size = this.#sizeOf(value);
    if (size > this.#maxSize) return;
    this.#entries.set(key, value);
    this.#size += size;
    for (const leastRecent of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break;
      this.delete(leastRecent);
    }
  }

  /** Returns the value of a key, creating it if it is missing. */
  getOrCreate(key: string, create: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const created = create();
    this.set(key, created);
    return created;
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#size -= this.#sizeOf(value);
  }
}
