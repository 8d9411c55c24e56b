/** A map with a maximum size: when it is full, the least recently used entries are removed. */
export class RecentMap<Value, Key = string> extends Map<Key, Value> {
  readonly #maxSize: number;
  readonly #sizeOf: (value: Value) => number;
  #total = 0;

  /** `sizeOf` returns what a value counts, 1 by default. A value that is larger than the map is not kept. */
  constructor(maxSize: number, sizeOf: (value: Value) => number = () => 1) {
    super();
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  override get(key: Key): Value | undefined {
    const value = super.get(key);
    if (value === undefined || this.#total * 2 < this.#maxSize) return value; // far from full the order does not matter
    super.delete(key);
    super.set(key, value);
    return value;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    const size = this.#sizeOf(value);
    if (size > this.#maxSize) return this;
    super.set(key, value);
    this.#total += size;
    for (const leastRecent of this.keys()) {
      if (this.#total <= this.#maxSize) break;
      this.delete(leastRecent);
    }
    return this;
  }

  getOrCreate(key: Key, create: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const created = create();
    this.set(key, created);
    return created;
  }

  override delete(key: Key): boolean {
    const value = super.get(key);
    if (value !== undefined) this.#total -= this.#sizeOf(value);
    return super.delete(key);
  }

  override clear(): void {
    super.clear();
    this.#total = 0;
  }
}
