import { longestNumber, writeNumber, writeText } from './number-text.ts';
import type { Readings } from './readings.ts';
import { type Empty, writeRows } from './rows.ts';

const [comma, newline] = [','.charCodeAt(0), '\n'.charCodeAt(0)];
const longestTime = '+275760-09-13T00:00:00.000Z'.length;

/** One line a row, one column a field, as bytes; a value that was not measured is an empty cell. */
export function csvRows({ at, fields }: Readings, { empty }: { empty: Empty }): Promise<Uint8Array<ArrayBuffer>> {
  const names = [...fields.keys()].filter((name) => fields.get(name)!.some(Number.isFinite)).sort();
  const columns = names.map((name) => fields.get(name)!);
  return writeRows({
    head: `${['timestamp', ...names.map(quoted)].join(',')}\n`,
    tail: '',
    count: at.length,
    longest: longestTime + columns.length * (longestNumber + 1) + 1,
    writeRow(bytes, rowStart, row) {
      let length = writeText(bytes, rowStart, new Date(at[row]!).toISOString());
      let isEmpty = true;
      for (let i = 0; i < columns.length; i++) {
        bytes[length++] = comma;
        const value = columns[i]![row]!;
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
