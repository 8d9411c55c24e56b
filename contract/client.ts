import { answerProblem, unreachable } from './client/answer-problem.ts';
import { type CallRequest, nextQuery, pathOf, queryOf, type Sent } from './client/request.ts';
import type { ReplyOf, Route } from './route.ts';

export type ClientOptions = {
  /** where the service is; empty for the origin of the page */
  baseUrl: string;
  token?: string | (() => string | Promise<string>);
  fetch?: typeof globalThis.fetch;
};

// A route that needs nothing is called without a second argument.
type RequestArgument<R extends Route> =
  Partial<CallRequest<R>> extends CallRequest<R> ? [request?: CallRequest<R>] : [request: CallRequest<R>];

type PagedRoute = Route & { paged: true };

type ItemOf<R extends Route> = ReplyOf<R> extends readonly (infer Item)[] ? Item : never;

export type Client = {
  /** The body of the reply; a Problem is thrown for everything else. */
  call<R extends Route>(route: R, ...request: RequestArgument<R>): Promise<ReplyOf<R>>;
  /** The items of a list, asking for one page after another. */
  pages<R extends PagedRoute>(route: R, ...request: RequestArgument<R>): AsyncGenerator<ItemOf<R>>;
};

export function createClient({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Client {
  const base = baseUrl.replace(/\/+$/, '');

  async function headersOf(route: Route, { body, idempotencyKey }: Sent): Promise<Record<string, string>> {
    // A public route is called without the token, so that fetching a token can call one.
    const bearer = route.access === 'public' ? undefined : typeof token === 'function' ? await token() : token;
    return {
      accept: `${route.contentType ?? 'application/json'}, application/problem+json`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
  }

  async function send(route: Route, request: Sent, query: string): Promise<{ body: unknown; answer: Response }> {
    const { params, body, signal } = request;
    const url = base + pathOf(route, params) + query;
    const headers = await headersOf(route, request);
    try {
      const answer = await fetch(url, {
        method: route.method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      if (!answer.ok || !(answer.status in route.replies)) throw await answerProblem(answer, url);
      return { body: await bodyOf(route, answer), answer };
    } catch (error) {
      throw signal?.aborted ? error : unreachable(url, error);
    }
  }

  async function* pages(route: Route, request: Sent = {}): AsyncGenerator {
    for (let query: string | undefined = queryOf(request.query); query !== undefined; ) {
      const { body, answer } = await send(route, request, query);
      yield* body as unknown[];
      query = nextQuery(answer.headers.get('link'));
    }
  }

  return {
    call: async (route: Route, request: Sent = {}) => (await send(route, request, queryOf(request.query))).body,
    pages,
  } as Client;
}

async function bodyOf(route: Route, answer: Response): Promise<unknown> {
  if (!route.replies[answer.status]) return undefined;
  return (route.contentType ?? 'application/json').includes('json') ? await answer.json() : await answer.text();
}
