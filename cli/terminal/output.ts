import type { Option, Shell } from '../line/command.ts';

export const jsonOption = { help: 'print JSON' } as const satisfies Option;

/** Aligns rows of cells in columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((max, row) => row.map((cell, i) => Math.max(max[i] ?? 0, cell.length)), []);
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

/** Prints a list as a table, or as JSON. */
export function printList(shell: Shell, json: boolean, items: readonly object[], fields: readonly string[]): void {
  const rows = items as readonly Record<string, unknown>[];
  const table = [fields, ...rows.map((row) => fields.map((field) => cellOf(row[field])))];
  shell.stdout.write(json ? `${JSON.stringify(items, null, 2)}\n` : `${columns(table)}\n`);
}

/** Prints a result as text, or as JSON. */
export function printResult(shell: Shell, json: boolean, result: object, sentence: string): void {
  shell.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${sentence}\n`);
}

/** Replaces control characters, so that text from elsewhere cannot move the cursor or colour the terminal. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ');

/** Shortens a line to this width. */
export const clip = (line: string, width: number): string =>
  line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
