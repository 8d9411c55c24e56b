import { markdownTable, writeBetweenMarks } from '#test/docs/document-tables.ts';
import type { Finding } from './finding.ts';
import { goalOf } from './table.ts';

export type Result = Finding & { bench: string };

/**
 * Writes the results of the benches that a document names between its marks, as tables. Keeps a table when one of its
 * benches has no result, because figures of several machines must not be mixed. Returns those benches.
 */
export function writeTables(file: string, results: readonly Result[]): string[] {
  const missing: string[] = [];
  writeBetweenMarks(file, 'bench', (asked, standing) => {
    const lacking = asked.filter((name) => !results.some(({ bench }) => bench === name));
    missing.push(...lacking);
    return lacking.length > 0 ? standing : tableOf(results.filter(({ bench }) => asked.includes(bench)));
  });
  return missing;
}

function tableOf(results: readonly Result[]): string {
  const rows = results.map((result) => {
    const { what, part, value, unit, against, ratio, rounds } = result;
    const cells = [part ? `${what}: ${part}` : what, `${value} ${unit}`, against, ratio === null ? '' : `${ratio} ×`];
    return [...cells, String(rounds), goalOf(result)];
  });
  return markdownTable(['Measurement', 'Value', 'Compared with', 'Ratio', 'Rounds', 'Target'], rows);
}
