import { type FieldError, Problem, type ProblemCode, problemCodes, statusOf } from '../problem.ts';
import type { Route } from '../route.ts';
import { type OutgoingRequest, pathOf } from './request.ts';
import { unlessAborted } from './retry.ts';

/** Returns an access token. If `refused` was rejected it returns another one if it can. */
export type TokenSource = (refused?: string) => string | Promise<string>;

export type SenderOptions = {
  /** address of the service; empty for the origin of the page */
  baseUrl: string;
  token?: string | TokenSource;
  fetch?: typeof globalThis.fetch;
};

/** Sends a request and returns a successful response with an unread body; throws a Problem for any other response. */
export type SendRequest = (route: Route, request: OutgoingRequest, query?: string) => Promise<Response>;

export function createSender({ baseUrl, token, fetch = globalThis.fetch }: SenderOptions): SendRequest {
  const base = baseUrl.replace(/\/+$/, '');

  async function tokenFor(
    { access }: Route,
    { signal }: OutgoingRequest,
    refused?: string,
  ): Promise<string | undefined> {
    // Public routes are called without a token, because fetching a token calls one.
    if (access === 'public') return undefined;
    return typeof token === 'function' ? unlessAborted(Promise.resolve(token(refused)), signal) : token;
  }

  async function send(
    url: string,
    route: Route,
    request: OutgoingRequest,
    bearer: string | undefined,
  ): Promise<Response> {
    const { body, idempotencyKey, headers, signal } = request;
    try {
      return await fetch(url, {
        method: route.method,
        headers: {
          accept: `${route.contentType ?? 'application/json'}, application/problem+json`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(bearer && { authorization: `Bearer ${bearer}` }),
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (error) {
      throw signal?.aborted ? error : connectionProblem(url, error);
    }
  }

  return async (route, request, query = '') => {
    const url = base + pathOf(route, request.params) + query;
    const bearer = await tokenFor(route, request);
    let answer = await send(url, route, request, bearer);
    const other = answer.status === 401 && bearer ? await tokenFor(route, request, bearer) : bearer;
    if (other !== bearer) {
      await readBody(url, request, answer.text.bind(answer)); // an unread body would block its connection
      answer = await send(url, route, request, other);
    }
    if (answer.ok && answer.status in route.replies) return answer;
    throw await readBody(url, request, () => problemFromResponse(answer, url));
  };
}

/** Reads a body and turns a broken connection into a Problem. */
export async function readBody<Body>(
  url: string,
  { signal }: OutgoingRequest,
  read: () => Promise<Body>,
): Promise<Body> {
  try {
    return await read();
  } catch (error) {
    throw signal?.aborted ? error : connectionProblem(url, error);
  }
}

/** The body of a ProblemBody, LocalError or OAuthError. */
type ErrorBody = {
  error?: string;
  detail?: string;
  message?: string;
  error_description?: string;
  errors?: FieldError[];
};

async function problemFromResponse(answer: Response, url: string): Promise<Problem> {
  const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? 'no type';
  const retryAfterSeconds = Number(answer.headers.get('retry-after'));
  const details = retryAfterSeconds > 0 ? { retryAfterSeconds } : {};
  const body = type.endsWith('json') ? ((await answer.json()) as ErrorBody | null) : undefined;
  if (typeof body?.error !== 'string') {
    const sentence = `${url} returned an unexpected response: ${answer.status} (${type}).`;
    return new Problem(answer.status < 502 ? codeOf(answer.status) : 'unavailable', sentence, details);
  }
  const { error, detail, message, error_description, errors } = body;
  const code = problemCodes.find((known) => known === error) ?? codeOf(answer.status);
  return new Problem(code, detail ?? message ?? error_description ?? error, { ...(errors && { errors }), ...details });
}

// A newer server may send codes that this client does not know, so the status decides.
const codeOf = (status: number): ProblemCode =>
  problemCodes.find((known) => statusOf(known) === status) ??
  (status >= 400 && status < 500 ? 'invalid_request' : 'unavailable');

/** Converts a network or parse error to a Problem. */
export function connectionProblem(url: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const sentence = error instanceof SyntaxError ? `${url} did not return JSON.` : `${url} cannot be reached.`;
  return new Problem('unavailable', sentence, {}, { cause: error });
}
