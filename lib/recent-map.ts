/** A map of what was used last; the rest is forgotten. */
export class RecentMap<Value> {
  readonly #entries = new Map<string, Value>(); // in order of use, the least recent first
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || this.#entries.size * 2 < this.#most) return value; // far from full the order does not matter
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#most) this.#entries.delete(this.#entries.keys().next().value!);
  }

  /** What is remembered, or else made and remembered. */
  getOrMake(key: string, make: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
