import { createInterface } from 'node:readline/promises';
import { Problem } from '#contract/problem.ts';
import type { Option, Shell } from '../line/command.ts';
import { UsageError } from '../line/command.ts';

export const yesOption = { help: 'skip the confirmation' } as const satisfies Option;

/** Throws unless the user passed --yes, or confirms on the terminal. */
export async function requireConfirmation(yes: boolean, question: string, { stdin, stderr }: Shell): Promise<void> {
  if (yes) return;
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new UsageError(`${question} There is no terminal to confirm this on; add --yes to go ahead.`);
  }
  using terminal = createInterface({ input: stdin, output: stderr });
  const answer = await terminal.question(`${question} Continue? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Problem('conflict', 'Nothing was changed.');
}

export const jsonOption = { help: 'print JSON' } as const satisfies Option;

/** Aligns rows of cells in columns; the columns with these numbers to the right. */
export function columns(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const widths: number[] = [];
  for (const row of rows) for (const [i, { length }] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, length);
  const lines = rows.map((row) => {
    const cells = row.map((cell, i) =>
      right.includes(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
    );
    return cells.join('  ').trimEnd();
  });
  return lines.join('\n');
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function tableOf(items: readonly object[], fields: readonly string[]): string {
  const rows = items.map((item) => new Map(Object.entries(item)));
  return columns([fields, ...rows.map((row) => fields.map((field) => cellOf(row.get(field))))]);
}

export function printResult(shell: Shell, json: boolean, result: object, sentence: string): void {
  shell.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${sentence}\n`);
}

/** Replaces control characters, so that text from elsewhere cannot move the cursor or colour the terminal. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ');

export const clip = (line: string, width: number): string =>
  line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
