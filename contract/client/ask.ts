import type { Route } from '../route.ts';
import { unlessAborted } from './abortable.ts';
import { answerProblem, unreachable } from './answer-problem.ts';
import { pathOf, type Sent } from './request.ts';

/** A token to send; when one was refused, another, or the same if there is no other. */
export type TokenSource = (refused?: string) => string | Promise<string>;

export type AskOptions = {
  /** where the service is; empty for the origin of the page */
  baseUrl: string;
  token?: string | TokenSource;
  fetch?: typeof globalThis.fetch;
};

/** One request of a route and its answer, whose body is not read yet; a Problem is thrown for every other answer. */
export type Ask = (route: Route, request: Sent, query?: string) => Promise<Response>;

export function createAsk({ baseUrl, token, fetch = globalThis.fetch }: AskOptions): Ask {
  const base = baseUrl.replace(/\/+$/, '');

  async function tokenFor({ access }: Route, { signal }: Sent, refused?: string): Promise<string | undefined> {
    // A public route is called without the token, so that fetching a token can call one.
    if (access === 'public') return undefined;
    return typeof token === 'function' ? unlessAborted(Promise.resolve(token(refused)), signal) : token;
  }

  async function send(url: string, route: Route, request: Sent, bearer: string | undefined): Promise<Response> {
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
      throw signal?.aborted ? error : unreachable(url, error);
    }
  }

  return async (route, request, query = '') => {
    const url = base + pathOf(route, request.params) + query;
    const bearer = await tokenFor(route, request);
    let answer = await send(url, route, request, bearer);
    const other = answer.status === 401 && bearer ? await tokenFor(route, request, bearer) : bearer;
    if (other !== bearer) {
      await readAnswer(url, request, answer.text.bind(answer)); // unread it would keep its connection
      answer = await send(url, route, request, other);
    }
    if (answer.ok && answer.status in route.replies) return answer;
    throw await readAnswer(url, request, () => answerProblem(answer, url));
  };
}

/** The body of an answer, which may still break off. */
export async function readAnswer<Body>(url: string, { signal }: Sent, read: () => Promise<Body>): Promise<Body> {
  try {
    return await read();
  } catch (error) {
    throw signal?.aborted ? error : unreachable(url, error);
  }
}
