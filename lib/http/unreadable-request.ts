import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorForm } from '#contract/openapi/problems.ts';
import { Problem } from '#contract/problem.ts';
import { errorBody, errorType } from './problem.ts';

type Unreadable = { form: ErrorForm; headers(): Record<string, string> };

/** Answers what is no request, or never becomes one: it reaches no route, and its connection ends. */
export const refuseUnreadable =
  ({ form, headers }: Unreadable) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const problem = problemOf(error);
    const own = headers();
    const body = JSON.stringify(errorBody(form, problem, own['x-request-id']!));
    const lines = Object.entries({
      ...own,
      connection: 'close',
      'content-type': errorType(form),
      'content-length': Buffer.byteLength(body),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
    socket.destroySoon();
  };

function problemOf({ code }: NodeJS.ErrnoException): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request_timeout', 'The request took too long to arrive.');
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem(
      'headers_too_large',
      'The address and headers of the request are longer than this service takes.',
    );
  }
  return new Problem('invalid_request', 'This is no request of HTTP/1.1.');
}
