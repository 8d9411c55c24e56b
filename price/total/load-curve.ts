import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type LoadInterval, mostLoadIntervals } from '#contract/price/total.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { minuteMs } from '#contract/time.ts';
import { JsonError } from '#lib/json.ts';
import { readInstant } from '../electricity/market-day.ts';

export type Load = { start: number; end: number; imported: number; exported: number };

const lengths = [15, 30, 60].map((minutes) => minutes * minuteMs);

/** Parses the instants of a load curve and checks their order. */
export function readLoadCurve(intervals: readonly LoadInterval[]): Load[] {
  const starts = intervals.map(({ start }, n) => readInstant(start) ?? refuse(n, 'start'));
  const usual = usualLength(starts);
  let previousEnd = Number.NEGATIVE_INFINITY;
  return intervals.map(({ end: given, import_kwh: imported, export_kwh: exported = 0 }, n) => {
    const start = starts[n] ?? refuse(n, 'start');
    const end = given === undefined ? start + usual : (readInstant(given) ?? refuse(n, 'end'));
    if (!lengths.includes(end - start)) refuse(n, 'end', 'must be 15, 30 or 60 minutes after the start');
    if (start % (end - start) !== 0) refuse(n, 'start', 'must be aligned to the interval length');
    if (previousEnd > start) refuse(n, 'start', 'is before the end of the previous interval');
    previousEnd = end;
    return { start, end, imported, exported };
  });
}

const instantForm = 'must be RFC 3339 with an offset, Unix seconds or milliseconds, of the years 1900 to 2999';

function refuse(n: number, field: 'start' | 'end', message = instantForm): never {
  throw fieldProblem('unprocessable', `body.intervals.${n}.${field}`, message);
}

/** Returns the shortest distance of two starts, at most an hour. */
function usualLength(starts: readonly number[]): number {
  let least = 60 * minuteMs;
  let previous = Number.NEGATIVE_INFINITY;
  for (const start of starts) {
    least = Math.min(least, start - previous);
    previous = start;
  }
  return least;
}

const columns = ['start', 'end', 'import_kwh', 'export_kwh'] as const;
const number = /^[+-]?\d{1,12}(\.\d{1,12})?$/;

/** Parses a load curve exported from a spreadsheet: with a header; a semicolon separator implies decimal commas. */
export function readLoadCsv(text: string): { intervals: LoadInterval[] } {
  const lines = text.matchAll(/\S[^\r\n]*/g); // non-blank lines; \S also skips a byte order mark
  const header = lines.next().value?.[0] ?? '';
  const separator = header.includes(';') ? ';' : ',';
  const names = cells(header, separator, columns.length + 1);
  const isKnown = names.every((name) => columns.some((column) => column === name));
  if (!isKnown || !names.includes('start') || !names.includes('import_kwh')) {
    throw fieldProblem('unprocessable', 'body', `the first line must name columns of ${columns.join(', ')}`);
  }
  const intervals: LoadInterval[] = [];
  for (const { 0: line, index } of lines) {
    if (intervals.length > mostLoadIntervals) break; // the body schema rejects them
    const row = cells(line, separator, names.length);
    const cell = (name: (typeof columns)[number]): string => row[names.indexOf(name)] ?? '';
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

const bodyLimit = 6 * 1024 * 1024; // a year of quarter-hours takes 3 MB of JSON
const maxValues = 8 * mostLoadIntervals; // an interval with all fields has five values

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Accepts load curves in this scope: larger bodies, more values, and CSV. */
export function acceptLoadCurves(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  const options = { parseAs: 'buffer', bodyLimit } as const;
  scope.addContentTypeParser('application/json', options, async (_request: FastifyRequest, bytes: Buffer) =>
    readJson(bytes),
  );
  scope.addContentTypeParser('text/csv', options, async (_request: FastifyRequest, bytes: Buffer) =>
    readLoadCsv(decode(bytes)),
  );
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Problem('invalid_request', 'The body is not valid UTF-8.', {}, { cause });
  }
}

/** Parses JSON; the body schema rejects unknown, nested and non-finite values. */
function readJson(bytes: Buffer): unknown {
  refuseManyValues(bytes);
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonError('The text is not valid JSON.');
  }
}

const [comma, bracket, brace] = Buffer.from(',[{');

/** Counts values by the character before them, because parsing millions of values takes hundreds of megabytes. */
function refuseManyValues(bytes: Buffer): void {
  let count = 0;
  for (let n = 0; n < bytes.length; n++) {
    const byte = bytes[n];
    if (byte === comma || byte === bracket || byte === brace) count++;
  }
  if (count <= maxValues) return;
  throw new Problem(
    'payload_too_large',
    `The body has more than ${maxValues} values; a load curve has at most ${mostLoadIntervals} intervals.`,
  );
}
