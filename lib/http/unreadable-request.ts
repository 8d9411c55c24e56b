import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorFormat } from '#contract/openapi/responses.ts';
import { Problem } from '#contract/problem.ts';
import { errorBody, errorType } from './problem.ts';

type ErrorAnswers = { form: ErrorFormat; headers(): { 'x-request-id': string } };

/** Answers bytes that are not a complete HTTP request, and closes the connection. */
export const refuseUnreadable =
  (answers: ErrorAnswers) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    writeProblem(socket, problemOf(error), answers);
    socket.destroySoon();
  };

/** Answers requests that Node does not route: CONNECT, and expectations other than 100-continue. */
export function refuseUnrouted(server: Server, answers: ErrorAnswers): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const problem = new Problem('not_implemented', 'This service is not a proxy: CONNECT is not supported.');
    writeProblem(socket, problem, answers);
    socket.end();
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const problem = new Problem('expectation_failed', 'The only supported expectation is 100-continue.');
    const { headers, body } = encodeProblem(problem, answers);
    response.writeHead(problem.status, headers).end(body);
  });
}

function encodeProblem(problem: Problem, { form, headers }: ErrorAnswers) {
  const own = headers();
  const body = JSON.stringify(errorBody(form, problem, own['x-request-id']));
  const length = Buffer.byteLength(body);
  return {
    body,
    headers: { ...own, connection: 'close', 'content-type': errorType(form), 'content-length': length },
  };
}

function writeProblem(socket: Duplex, problem: Problem, answers: ErrorAnswers): void {
  const { headers, body } = encodeProblem(problem, answers);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
}

export const unsupportedVersion = (): Problem =>
  new Problem('http_version_unsupported', 'This service speaks HTTP/1.1 and HTTP/1.0.');

function problemOf({ code }: NodeJS.ErrnoException): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request_timeout', 'The request took too long to arrive.');
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('headers_too_large', 'The URL and headers of the request are longer than this service accepts.');
  }
  if (code === 'HPE_INVALID_VERSION' || code === 'HPE_PAUSED_H2_UPGRADE') return unsupportedVersion();
  return new Problem('invalid_request', 'The request is not valid HTTP/1.1.');
}
