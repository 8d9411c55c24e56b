import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Replaces the text between the marks `<!-- kind: names -->` and `<!-- end -->` of a document, given the names and the
 * present text.
 */
export function writeBetweenMarks(
  file: string,
  kind: string,
  textOf: (names: string[], standing: string) => string,
): void {
  const block = new RegExp(`(<!-- ${kind}: (.+?) -->\\n)([\\s\\S]*?)(<!-- end -->)`, 'g');
  const written = readFileSync(file, 'utf8').replaceAll(
    block,
    (_, begin: string, names: string, standing: string, end: string) =>
      `${begin}\n${textOf(names.split(' '), standing.trim())}\n\n${end}`,
  );
  writeFileSync(file, written);
}

export const markdownTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
