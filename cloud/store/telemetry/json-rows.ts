import { longestNumber, writeBytes, writeInstant, writeNumber } from './number-text.ts';
import type { Readings } from './readings.ts';
import { type RowRange, type WrittenRows, writeRows } from './rows.ts';

const [comma, closeBrace] = [','.charCodeAt(0), '}'.charCodeAt(0)];

/**
 * JSON objects with commas between them, as bytes: the time of each row, and those of its numbers that are finite. Objects that are
 * made only to be written would take several times as long.
 */
export function jsonRows({ at, fields }: Readings, range: RowRange): Promise<WrittenRows> {
  const { empty, first = 0, maxBytes = Number.POSITIVE_INFINITY } = range;
  const names = Array.from(fields.keys(), (name) => Buffer.from(`,${JSON.stringify(name)}:`));
  const columns = [...fields.values()];
  const begin = Buffer.from('{"timestamp":');
  let isFirst = true;
  return writeRows({
    first,
    count: at.length,
    maxBytes,
    longest: names.reduce((bytes, name) => bytes + name.length + longestNumber, begin.length + longestNumber + 2),
    writeRow(bytes, rowStart, row) {
      let length = rowStart;
      if (!isFirst) bytes[length++] = comma;
      length = writeBytes(bytes, length, begin);
      length = writeInstant(bytes, length, at[row]!);
      const rowHead = length;
      for (let i = 0; i < columns.length; i++) {
        const value = columns[i]![row]!;
        if (!Number.isFinite(value)) continue;
        length = writeBytes(bytes, length, names[i]!);
        length = writeNumber(bytes, length, value);
      }
      if (length === rowHead && empty === 'dropped') return rowStart;
      isFirst = false;
      bytes[length++] = closeBrace;
      return length;
    },
  });
}
