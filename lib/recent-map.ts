/** A map with a maximum size: when it is full, the least recently used entry is removed. */
export class RecentMap<Value> {
  readonly #entries = new Map<string, Value>(); // in order of use, the least recent first
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || this.#entries.size * 2 < this.#maxSize) return value; // far from full the order does not matter
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#maxSize) return;
    const [leastRecent = key] = this.#entries.keys();
    this.#entries.delete(leastRecent);
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
    this.#entries.delete(key);
  }
}
