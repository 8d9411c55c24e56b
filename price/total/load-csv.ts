import { type LoadInterval, mostLoadIntervals } from '#contract/price/total.ts';
import { fieldProblem } from '#contract/problem.ts';

const columns = ['start', 'end', 'import_kwh', 'export_kwh'] as const;
const number = /^[+-]?\d{1,12}(\.\d{1,12})?$/;

/** A load curve as spreadsheets write it: with a header; a semicolon as separator goes with decimal commas. */
export function readLoadCsv(text: string): { intervals: LoadInterval[] } {
  const lines = text.matchAll(/\S[^\r\n]*/g); // those that are not blank; a byte order mark counts as a space
  const header = lines.next().value?.[0] ?? '';
  const separator = header.includes(';') ? ';' : ',';
  const names = cells(header, separator, columns.length + 1);
  const unknown = names.find((name) => !(columns as readonly string[]).includes(name));
  if (unknown !== undefined || !names.includes('start') || !names.includes('import_kwh')) {
    throw fieldProblem('unprocessable', 'body', `the first line must name columns of ${columns.join(', ')}`);
  }
  const place = Object.fromEntries(columns.map((name) => [name, names.indexOf(name)]));
  const intervals: LoadInterval[] = [];
  for (const { 0: line, index } of lines) {
    if (intervals.length > mostLoadIntervals) break; // the schema of the body refuses them
    const row = cells(line, separator, names.length);
    const cell = (name: (typeof columns)[number]): string => row[place[name]!] ?? '';
    const energy = (name: 'import_kwh' | 'export_kwh'): number => {
      const decimal = separator === ';' ? cell(name).replace(',', '.') : cell(name);
      if (!number.test(decimal)) {
        throw fieldProblem('unprocessable', `body.line ${lineAt(text, index)}.${name}`, 'must be a number');
      }
      return Number(decimal);
    };
    intervals.push({
      start: cell('start'),
      ...(cell('end') !== '' && { end: cell('end') }),
      import_kwh: energy('import_kwh'),
      ...(cell('export_kwh') !== '' && { export_kwh: energy('export_kwh') }),
    });
  }
  return { intervals };
}

const cells = (line: string, separator: string, most: number): string[] =>
  line.split(separator, most).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let n = 0; n < index; n++) if (text[n] === '\n' || (text[n] === '\r' && text[n + 1] !== '\n')) line++;
  return line;
}
