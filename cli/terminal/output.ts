import type { Option, Shell } from '../line/command.ts';

export const jsonOption = { says: 'print JSON' } as const satisfies Option;

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

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A list as a table, or as JSON. */
export function printList(shell: Shell, json: boolean, items: readonly object[], fields: readonly string[]): void {
  const rows = items as readonly Record<string, unknown>[];
  const table = [fields, ...rows.map((row) => fields.map((field) => cellOf(row[field])))];
  shell.stdout.write(json ? `${JSON.stringify(items, null, 2)}\n` : `${columns(table)}\n`);
}

/** A result as a sentence or two, or as JSON. */
export function printResult(shell: Shell, json: boolean, result: object, sentence: string): void {
  shell.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${sentence}\n`);
}
