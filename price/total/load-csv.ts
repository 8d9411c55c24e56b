import type { LoadInterval } from '#contract/price/total.ts';
import { fieldProblem } from '#contract/problem.ts';

const columns = ['start', 'end', 'import_kwh', 'export_kwh'] as const;
const number = /^[+-]?\d{1,12}(\.\d{1,12})?$/;

/** A load curve as spreadsheets write it: with a header; a semicolon as separator goes with decimal commas. */
export function readLoadCsv(text: string): { intervals: LoadInterval[] } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const header = lines[0] ?? '';
  const separator = header.includes(';') ? ';' : ',';
  const names = cells(header, separator);
  const unknown = names.find((name) => !(columns as readonly string[]).includes(name));
  if (unknown !== undefined || !names.includes('start') || !names.includes('import_kwh')) {
    throw fieldProblem('unprocessable', 'body', `the first line must name columns of ${columns.join(', ')}`);
  }
  const place = Object.fromEntries(columns.map((name) => [name, names.indexOf(name)]));
  const intervals: LoadInterval[] = [];
  for (const [n, line] of lines.entries()) {
    if (n === 0 || line.trim() === '') continue;
    const row = cells(line, separator);
    const cell = (name: (typeof columns)[number]): string => row[place[name]!] ?? '';
    const energy = (name: 'import_kwh' | 'export_kwh'): number => {
      const decimal = separator === ';' ? cell(name).replace(',', '.') : cell(name);
      if (!number.test(decimal)) throw fieldProblem('unprocessable', `body.line ${n + 1}.${name}`, 'must be a number');
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

const cells = (line: string, separator: string): string[] =>
  line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
