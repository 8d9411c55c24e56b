import { markdownTable, writeBetweenMarks } from '#test/document-tables.ts';
import type { Finding } from './finding.ts';
import { goalOf } from './table.ts';

export type Result = Finding & { bench: string };

/** Writes the results of the benches that a document names between its marks, as tables. */
export function writeTables(file: string, results: readonly Result[]): void {
  writeBetweenMarks(file, 'bench', (asked) => tableOf(results.filter(({ bench }) => asked.includes(bench))));
}

function tableOf(results: readonly Result[]): string {
  if (results.length === 0) return 'Not measured since this was last written.';
  const rows = results.map((result) => {
    const { what, part, value, unit, against, ratio, rounds } = result;
    const cells = [part ? `${what}: ${part}` : what, `${value} ${unit}`, against, ratio === null ? '' : `${ratio} ×`];
    return [...cells, String(rounds), goalOf(result)];
  });
  return markdownTable(['What', 'Value', 'Against', 'Ratio', 'Rounds', 'Reach'], rows);
}
