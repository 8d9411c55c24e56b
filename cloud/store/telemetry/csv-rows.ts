import { longestNumber, writeNumber, writeText } from './number-text.ts';
import type { Readings } from './readings.ts';
import { type RowRange, type WrittenRows, writeRows } from './rows.ts';

const [comma, newline] = [','.charCodeAt(0), '\n'.charCodeAt(0)];
const longestTime = '+275760-09-13T00:00:00.000Z'.length;

/** The names of the fields that were measured, in order. */
export const measuredNames = ({ fields }: Readings): string[] =>
  [...fields.keys()].filter((name) => fields.get(name)!.some(Number.isFinite)).sort();

export const csvHead = (names: readonly string[]): string => `${['timestamp', ...names.map(quoted)].join(',')}\n`;

/** One line a row, one column a name, as bytes; a value that was not measured is an empty cell. */
export function csvRows({ at, fields }: Readings, names: readonly string[], range: RowRange): Promise<WrittenRows> {
  const { empty, first = 0, maxBytes = Number.POSITIVE_INFINITY } = range;
  const columns = names.map((name) => fields.get(name));
  return writeRows({
    first,
    count: at.length,
    maxBytes,
    longest: longestTime + columns.length * (longestNumber + 1) + 1,
    writeRow(bytes, rowStart, row) {
      let length = writeText(bytes, rowStart, new Date(at[row]!).toISOString());
      let isEmpty = true;
      for (let i = 0; i < columns.length; i++) {
        bytes[length++] = comma;
        const value = columns[i]?.[row] ?? Number.NaN;
        if (!Number.isFinite(value)) continue;
        length = writeNumber(bytes, length, value);
        isEmpty = false;
      }
      if (isEmpty && empty === 'dropped') return rowStart;
      bytes[length++] = newline;
      return length;
    },
  });
}

/** A device names its fields as it likes (RFC 4180, 2). */
const quoted = (name: string): string => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
