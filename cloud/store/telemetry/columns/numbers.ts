import type { ByteReader, ByteWriter } from './bytes.ts';
import { digitsOf, fromIntegers, toIntegers } from './decimals.ts';
import { readFloats, writeFloats } from './floats.ts';
import { readIntegers, tellIntegers, writeTold } from './integers.ts';
import { readPresence, writePresence } from './presence.ts';
import { type Columns, foretell, wayNumbers } from './relatives.ts';

const asFloats = 15; // where the number of digits stands
const noColumns: Columns = new Map();

/** Any finite numbers, exactly; NaN where there is none. A column that is complete may be told from those before it. */
export function writeNumbers(to: ByteWriter, values: Float64Array, field = '', before = noColumns): void {
  const present = writePresence(to, values);
  const digits = digitsOf(present);
  to.integer(digits ?? asFloats);
  if (digits === undefined) writeFloats(to, present);
  else
    writeDecimals(to, {
      integers: toIntegers(present, digits),
      digits,
      field,
      before: present === values ? before : noColumns,
    });
}

type Decimals = { integers: Float64Array; digits: number; field: string; before: Columns };

function writeDecimals(to: ByteWriter, { integers, digits, field, before }: Decimals): void {
  let way = 0;
  let told = tellIntegers(integers);
  for (const other of wayNumbers) {
    const foretold = foretell(other, field, before, 10 ** digits, integers.length);
    if (!foretold) continue;
    for (let row = 0; row < foretold.length; row++) foretold[row] = integers[row]! - foretold[row]!;
    const missed = tellIntegers(foretold);
    if (missed.bits < told.bits) [way, told] = [other, missed];
  }
  to.integer(way);
  writeTold(to, told);
}

export function readNumbers(from: ByteReader, length: number, field = '', before = noColumns): Float64Array {
  const { count, spread } = readPresence(from, length);
  const digits = from.integer();
  if (digits === asFloats) return spread(readFloats(from, count));
  const way = from.integer();
  const integers = readIntegers(from, count);
  const foretold = foretell(way, field, before, 10 ** digits, count);
  if (foretold) for (let row = 0; row < count; row++) integers[row]! += foretold[row]!;
  return spread(fromIntegers(integers, digits));
}
