import type { FastifyInstance } from 'fastify';
import { mostLoadIntervals } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { JsonError } from '#lib/json.ts';
import { readLoadCsv } from './load-csv.ts';

const bodyLimit = 6 * 1024 * 1024; // a year of quarter-hours takes 3 MB of JSON
const mostValues = 8 * mostLoadIntervals; // an interval with all of its fields is five

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Lets the routes of this scope take load curves: larger than other bodies, of more keys, and as CSV. */
export function takeLoadCurves(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  const take = (type: string, read: (bytes: Buffer) => unknown): void => {
    scope.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit }, (_request, bytes: Buffer, done) => {
      try {
        done(null, read(bytes));
      } catch (error) {
        done(error as Error);
      }
    });
  };
  take('application/json', readJson);
  take('text/csv', (bytes) => readLoadCsv(decode(bytes)));
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Problem('invalid_request', 'The body is not valid UTF-8.', {}, { cause });
  }
}

/** The schema of the body refuses what is unknown, nested or not finite. */
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

/** Every value but the outermost stands behind one of these characters. Read as objects, millions take a hundred megabytes. */
function refuseManyValues(bytes: Buffer): void {
  let count = 0;
  for (let n = 0; n < bytes.length; n++) {
    const byte = bytes[n];
    if (byte === comma || byte === bracket || byte === brace) count++;
  }
  if (count <= mostValues) return;
  throw new Problem(
    'payload_too_large',
    `The body has more than ${mostValues} values; a load curve has at most ${mostLoadIntervals} intervals.`,
  );
}
