/**
 * A sum that things join and leave for years without a rest building up: what a number cannot hold of it is carried in a
 * second one (T. J. Dekker, 1971).
 */
export class RunningSum {
  count = 0;
  #sum = 0;
  #rest = 0;

  add(value: number): void {
    this.count++;
    this.#join(value);
  }

  remove(value: number): void {
    this.count--;
    if (this.count > 0) this.#join(-value);
    else this.#sum = this.#rest = 0;
  }

  get value(): number {
    return this.#sum;
  }

  #join(value: number): void {
    const sum = this.#sum + value;
    const joined = sum - this.#sum;
    const rest = this.#rest + (this.#sum - (sum - joined) + (value - joined));
    this.#sum = sum + rest;
    this.#rest = rest - (this.#sum - sum);
  }
}
