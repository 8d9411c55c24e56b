import { type CallRequest, nextQuery, type OutgoingRequest, queryOf } from './client/request.ts';
import { isRepeatable, type WaitOption, withIdempotencyKey, withRetries } from './client/retry.ts';
import { createSender, readBody, type SenderOptions } from './client/send.ts';
import type { ReplyOf, Route } from './route.ts';

export type ClientOptions = SenderOptions &
  WaitOption & {
    /** how often to retry a call that is safe to repeat; 0 by default */
    retries?: number;
  };

// The second argument is optional when the route requires nothing.
type RequestArgument<R extends Route> =
  Partial<CallRequest<R>> extends CallRequest<R> ? [request?: CallRequest<R>] : [request: CallRequest<R>];

type PagedRoute = Route & { paged: true };

type ItemOf<R extends Route> = ReplyOf<R> extends readonly (infer Item)[] ? Item : never;

export type Client = {
  /** Calls a route and returns the body of the reply; throws a Problem for any other response. */
  call<R extends Route>(route: R, ...request: RequestArgument<R>): Promise<ReplyOf<R>>;
  /** Yields the items of a list and fetches its pages as needed. */
  pages<R extends PagedRoute>(route: R, ...request: RequestArgument<R>): AsyncGenerator<ItemOf<R>>;
};

export function createClient({ retries = 0, longestWaitMs, ...options }: ClientOptions): Client {
  const ask = createSender(options);

  function send(route: Route, given: OutgoingRequest, query: string): Promise<{ body: unknown; answer: Response }> {
    const request = retries > 0 ? withIdempotencyKey(route, given) : given;
    const attempt = async () => {
      const answer = await ask(route, request, query);
      return { body: await readBody(answer.url, request, () => bodyOf(route, answer)), answer };
    };
    return withRetries(attempt, { retries: isRepeatable(route, request) ? retries : 0, longestWaitMs }, request.signal);
  }

  async function* pages(route: Route, request: OutgoingRequest = {}): AsyncGenerator {
    for (let query: string | undefined = queryOf(request.query); query !== undefined; ) {
      const { body, answer } = await send(route, request, query);
      yield* body as unknown[];
      query = nextQuery(answer.headers.get('link'));
    }
  }

  return {
    call: async (route: Route, request: OutgoingRequest = {}) =>
      (await send(route, request, queryOf(request.query))).body,
    pages,
  } as Client;
}

async function bodyOf(route: Route, answer: Response): Promise<unknown> {
  if (!route.replies[answer.status]) return undefined;
  return (route.contentType ?? 'application/json').includes('json') ? await answer.json() : await answer.text();
}
