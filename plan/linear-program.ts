import type { Highs, ModelData } from 'highs';

export type Term = readonly [column: number, factor: number];

/** A mixed-integer linear program, which grows row by row. Its costs are minimized. */
export class LinearProgram {
  readonly costs: number[] = [];
  readonly lower: number[] = [];
  readonly upper: number[] = [];
  /** Columns that are 0 or 1, and which of both is near to a solution in which they are between. */
  readonly switches = new Map<number, (values: Float64Array) => boolean>();
  readonly #rowLower: number[] = [];
  readonly #rowUpper: number[] = [];
  readonly #starts: number[] = [0];
  readonly #indices: number[] = [];
  readonly #values: number[] = [];

  /** Adds a variable and returns its column. */
  add(lower: number, upper: number, cost = 0): number {
    this.lower.push(lower);
    this.upper.push(upper);
    return this.costs.push(cost) - 1;
  }

  /** Adds a variable that is 0 or 1. */
  addSwitch(isOn: (values: Float64Array) => boolean): number {
    const column = this.add(0, 1);
    this.switches.set(column, isOn);
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
      ...(this.switches.size > 0 && {
        integrality: colCost.map((_, column) => (this.switches.has(column) ? integer : continuous)),
      }),
    };
  }
}
