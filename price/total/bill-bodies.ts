import type { FastifyInstance } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { JsonError } from '#lib/json.ts';
import { readLoadCsv } from './load-csv.ts';

const bodyLimit = 6 * 1024 * 1024; // a year of quarter-hours takes 3 MB of JSON

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Lets the routes of this scope take load curves: larger than other bodies, of more keys, and as CSV. */
export function takeLoadCurves(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  const take = (type: string, read: (text: string) => unknown): void => {
    scope.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit }, (_request, bytes: Buffer, done) => {
      try {
        done(null, read(decode(bytes)));
      } catch (error) {
        done(error as Error);
      }
    });
  };
  take('application/json', readJson);
  take('text/csv', readLoadCsv);
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Problem('invalid_request', 'The body is not valid UTF-8.', {}, { cause });
  }
}

/** The schema of the body refuses what is unknown, nested or not finite. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonError('The text is not valid JSON.');
  }
}
