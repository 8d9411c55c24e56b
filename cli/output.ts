import type { Shell } from './command.ts';

/** Lines of cells, aligned. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), []);
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

type Item = Record<string, string | number | boolean | null>;

const cellOf = (value: Item[string] | undefined): string =>
  value === null || value === undefined ? '-' : String(value);

/** A list as a table, or as JSON. */
export function printList(shell: Shell, json: boolean, items: readonly Item[], fields: readonly string[]): void {
  const table = [fields, ...items.map((item) => fields.map((field) => cellOf(item[field])))];
  shell.stdout.write(json ? `${JSON.stringify(items, null, 2)}\n` : `${columns(table)}\n`);
}

/** A result as a sentence or two, or as JSON. */
export function printResult(shell: Shell, json: boolean, result: object, sentence: string): void {
  shell.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${sentence}\n`);
}
