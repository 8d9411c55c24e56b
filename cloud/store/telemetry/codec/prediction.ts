import { valueAt } from '../readings.ts';

/** Columns by the name of their field. */
export type Columns = { get(field: string): Float64Array | undefined };

type Predictor = (field: string, columns: Columns) => ((row: number) => number) | undefined;

/** Predicts a field of a meter from other fields of the same reading, so that only the small error has to be stored. */
const predictors: readonly Predictor[] = [
  () => undefined, // number 0: no prediction
  (field, columns) => sumOfPhases(field, columns, 1),
  (field, columns) => sumOfPhases(field, columns, 3),
  (field, columns) => {
    if (!/^(L\d_)?A$/.test(field)) return undefined;
    const power = columns.get(field.replace('A', 'W'));
    const voltage = columns.get(field.replace('A', 'V'));
    return power && voltage && ((row) => Math.abs(valueAt(power, row)) / valueAt(voltage, row));
  },
];

export const predictorNumbers = [...predictors.keys()].slice(1);

function sumOfPhases(field: string, columns: Columns, divisor: number): ReturnType<Predictor> {
  const [l1, l2, l3] = ['L1_', 'L2_', 'L3_'].map((phase) => columns.get(phase + field));
  return l1 && l2 && l3 && ((row) => (valueAt(l1, row) + valueAt(l2, row) + valueAt(l3, row)) / divisor);
}

/** Returns predicted values in units of the last digit; undefined when the predictor does not apply to these columns. */
export function predict(
  predictor: number,
  field: string,
  columns: Columns,
  power: number,
  length: number,
): Float64Array | undefined {
  const valueAt = predictors[predictor]?.(field, columns);
  if (!valueAt) return undefined;
  const predicted = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    const value = Math.round(valueAt(row) * power);
    if (Math.abs(value) < 2 ** 48) predicted[row] = value; // 0 for NaN and for values out of range
  }
  return predicted;
}

/** Orders fields so that each follows those it is predicted from. */
export const byDependence = (a: string, b: string): number => rank(a) - rank(b);

function rank(field: string): number {
  if (/^L\d_A$/.test(field)) return 1;
  if (/^L\d_/.test(field)) return 0;
  return field === 'A' ? 3 : 2;
}
