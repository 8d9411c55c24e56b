/**
 * The values of a counter without its glitches (NaN in their place): drops that the next reading, or the one after it,
 * takes back to at least the value before. A drop that stays is a new counter. `after` are the readings that follow.
 */
export function withoutGlitches(values: Float64Array, after: Float64Array): Float64Array {
  const places: number[] = [];
  const present: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) continue;
    places.push(i);
    present.push(values[i]!);
  }
  for (const value of after) if (!Number.isNaN(value)) present.push(value);
  const good = values.slice();
  for (let i = 1; i < places.length; i++) {
    const before = present[i - 1]!;
    if (present[i]! >= before) continue;
    if (present[i + 1]! >= before) good[places[i]!] = Number.NaN;
    else if (present[i + 2]! >= before) {
      good[places[i]!] = Number.NaN;
      if (i + 1 < places.length) good[places[i + 1]!] = Number.NaN;
    }
  }
  return good;
}
