import type { Highs, ModelData } from 'highs';

export type Term = readonly [column: number, factor: number];

/** A mixed-integer linear program, which grows row by row. Its costs are minimized. */
export class LinearProgram {
  readonly costs: number[] = [];
  readonly lower: number[] = [];
  readonly upper: number[] = [];
  readonly isSwitch: boolean[] = [];
  readonly #rowLower: number[] = [];
  readonly #rowUpper: number[] = [];
  readonly #starts: number[] = [0];
  readonly #indices: number[] = [];
  readonly #values: number[] = [];

  /** Adds a variable and returns its column. */
  add(lower: number, upper: number, cost = 0): number {
    this.lower.push(lower);
    this.upper.push(upper);
    this.isSwitch.push(false);
    return this.costs.push(cost) - 1;
  }

  /** Adds a variable that is 0 or 1. */
  addSwitch(): number {
    const column = this.add(0, 1);
    this.isSwitch[column] = true;
    return column;
  }

  /** Requires a sum of terms to be in a range, and returns the row. A column may occur once. */
  require(lower: number, terms: readonly Term[], upper: number): number {
    this.#rowLower.push(lower);
    for (const [column, factor] of terms) {
      this.#indices.push(column);
      this.#values.push(factor);
    }
    this.#starts.push(this.#indices.length);
    return this.#rowUpper.push(upper) - 1;
  }

  equal(terms: readonly Term[], value: number): void {
    this.require(value, terms, value);
  }

  atMost(terms: readonly Term[], value: number): number {
    return this.require(Number.NEGATIVE_INFINITY, terms, value);
  }

  atLeast(terms: readonly Term[], value: number): void {
    this.require(value, terms, Number.POSITIVE_INFINITY);
  }

  toModel({ constants }: Highs): ModelData {
    const { integer, continuous } = constants.variableType;
    const [numRows, numCols] = [this.#rowLower.length, this.costs.length];
    const { costs: colCost, lower: colLower, upper: colUpper } = this;
    return {
      numCols,
      numRows,
      sense: constants.objectiveSense.minimize,
      colCost,
      colLower,
      colUpper,
      rowLower: this.#rowLower,
      rowUpper: this.#rowUpper,
      matrix: { format: 'csr', numRows, numCols, starts: this.#starts, indices: this.#indices, values: this.#values },
      ...(this.isSwitch.includes(true) && { integrality: this.isSwitch.map((is) => (is ? integer : continuous)) }),
    };
  }
}
