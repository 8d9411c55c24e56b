import { readFileSync, writeFileSync } from 'node:fs';
import type { Finding } from './finding.ts';
import { goalOf } from './table.ts';

export type Result = Finding & { bench: string };

const block = /(<!-- bench: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g;

/** Writes the results of the benches that a document names between its marks, as tables. */
export function writeTables(file: string, results: readonly Result[]): void {
  const text = readFileSync(file, 'utf8');
  const written = text.replaceAll(block, (_, begin: string, names: string, end: string) => {
    const asked = names.split(' ');
    return `${begin}${tableOf(results.filter(({ bench }) => asked.includes(bench)))}\n${end}`;
  });
  writeFileSync(file, written);
}

function tableOf(results: readonly Result[]): string {
  if (results.length === 0) return '\nNot measured since this was last written.\n';
  const rows = results.map((result) => {
    const { what, part, value, unit, against, ratio, rounds } = result;
    const cells = [part ? `${what}: ${part}` : what, `${value} ${unit}`, against, ratio === null ? '' : `${ratio} ×`];
    return [...cells, String(rounds), goalOf(result)];
  });
  const header = ['What', 'Value', 'Against', 'Ratio', 'Rounds', 'Reach'];
  return ['', ...[header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`), ''].join('\n');
}
