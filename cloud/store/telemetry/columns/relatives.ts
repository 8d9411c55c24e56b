/** Fields by their names. */
export type Columns = { get(field: string): Float64Array | undefined };

/** Ways to foretell a field of a meter from others of the same reading. What they miss is little, and is all that is kept. */
const ways: readonly ((field: string, columns: Columns) => ((row: number) => number) | undefined)[] = [
  () => undefined, // 0 is no way
  (field, columns) => {
    const [l1, l2, l3] = phasesOf(field, columns);
    return l1 && l2 && l3 && ((row) => l1[row]! + l2[row]! + l3[row]!);
  },
  (field, columns) => {
    const [l1, l2, l3] = phasesOf(field, columns);
    return l1 && l2 && l3 && ((row) => (l1[row]! + l2[row]! + l3[row]!) / 3);
  },
  (field, columns) => {
    if (!/^(L\d_)?A$/.test(field)) return undefined;
    const power = columns.get(field.replace('A', 'W'));
    const voltage = columns.get(field.replace('A', 'V'));
    return power && voltage && ((row) => Math.abs(power[row]!) / voltage[row]!);
  },
];

const phasesOf = (field: string, columns: Columns) => ['L1_', 'L2_', 'L3_'].map((phase) => columns.get(phase + field));

export const wayNumbers = [...ways.keys()].slice(1);

/** What a way says a column is, in whole steps of its last digit; undefined when the fields it needs are not there. */
export function foretell(way: number, field: string, columns: Columns, power: number, length: number) {
  const valueAt = ways[way]?.(field, columns);
  if (!valueAt) return undefined;
  const foretold = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    const value = Math.round(valueAt(row) * power);
    if (Math.abs(value) < 2 ** 48) foretold[row] = value; // neither NaN nor out of reach
  }
  return foretold;
}

/** An order in which a field comes after those it is foretold from. */
export const byDependence = (a: string, b: string): number => rank(a) - rank(b);

function rank(field: string): number {
  if (/^L\d_A$/.test(field)) return 1;
  if (/^L\d_/.test(field)) return 0;
  return field === 'A' ? 3 : 2;
}
