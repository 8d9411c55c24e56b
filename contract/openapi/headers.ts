import type { Route } from '../route.ts';
import type { OpenApiDocument, Parameter, Response } from './document.ts';

const text = { type: 'string' };

const describedHeaders = {
  'API-Version': { description: 'the version of this interface', schema: text },
  'X-Request-Id': { description: 'names this request in the log of the server', schema: text },
  'RateLimit-Policy': { description: 'the budget: requests (q) in a window of seconds (w)', schema: text },
  RateLimit: { description: 'what is left of the budget: requests (r), seconds until it is full (t)', schema: text },
  'Retry-After': { description: 'seconds to wait before trying again', schema: { type: 'integer' } },
  Link: { description: 'the next page, as <...>; rel="next"; absent on the last one', schema: text },
  ETag: { description: 'names this state of the answer, for If-None-Match and If-Match', schema: text },
  Location: { description: 'the path of what was created', schema: text },
  'Idempotency-Replayed': { description: 'true when this is the stored answer to an earlier request', schema: text },
};

type HeaderName = keyof typeof describedHeaders;

export const headerComponents: OpenApiDocument['components']['headers'] = describedHeaders;

const onEveryAnswer: HeaderName[] = ['API-Version', 'X-Request-Id'];

const references = (names: HeaderName[]): NonNullable<Response['headers']> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const replyHeaders = ({
  access,
  paged,
  conditional,
  creates,
  location,
}: Route): NonNullable<Response['headers']> =>
  references([
    ...onEveryAnswer,
    ...(access === 'internal' ? [] : (['RateLimit-Policy', 'RateLimit'] as const)),
    ...(paged ? (['Link'] as const) : []),
    ...(conditional ? (['ETag'] as const) : []),
    ...(location ? (['Location'] as const) : []),
    ...(creates ? (['Idempotency-Replayed'] as const) : []),
  ]);

/** Those that tell what to do about it. */
export function problemHeaders(status: number): Pick<Response, 'headers'> {
  if (status === 429) return { headers: references(['RateLimit-Policy', 'RateLimit', 'Retry-After']) };
  return status === 503 ? { headers: references(['Retry-After']) } : {};
}

export function requestHeaders({ creates, conditional, ticket, resource }: Route): Parameter[] {
  const header = (name: string, description: string): Parameter => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: text,
  });
  return [
    ...(creates
      ? [header('Idempotency-Key', 'a new one for each request; a retry with the same one has no second effect')]
      : []),
    ...(ticket
      ? [header('Last-Event-ID', 'the id of the last event the caller has; what came since is sent first')]
      : []),
    ...(resource
      ? [header('If-Match', 'the ETag of the state the caller has read, or *; 412 when it has changed since')]
      : []),
    ...(conditional ? [header('If-None-Match', 'the ETag of the answer the caller has; 304 when it still holds')] : []),
  ];
}
