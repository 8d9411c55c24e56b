import type { TSchema } from 'typebox';
import {
  LocalError,
  localError,
  OAuthError,
  oauthError,
  Problem,
  ProblemBody,
  type ProblemCode,
  problemBody,
  problemCodes,
  statusOf,
  titleOf,
} from '../problem.ts';
import { paramNames, type Route } from '../route.ts';
import type { OpenApiDocument, Parameter, Response, SchemaRegistry } from './document.ts';

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

/** How a service writes its errors: as problem details, in the short form of the gateway, or as OAuth (RFC 6749) does. */
export type ErrorFormat = 'problem' | 'local' | 'oauth';

const formOf: Record<ErrorFormat, { schema: TSchema; contentType: string; example(problem: Problem): object }> = {
  problem: {
    schema: ProblemBody,
    contentType: 'application/problem+json',
    example: (problem) => problemBody(problem, '…'),
  },
  local: { schema: LocalError, contentType: 'application/json', example: localError },
  oauth: { schema: OAuthError, contentType: 'application/json', example: oauthError },
};

/** One answer for each status that a route can say no with. */
export function problemResponses(route: Route, schemas: SchemaRegistry, errors: ErrorFormat): Record<string, Response> {
  const { schema: body, contentType, example } = formOf[errors];
  const schema = schemas.add(body, 'open');
  const examplesOf = (codes: ProblemCode[]) =>
    Object.fromEntries(codes.map((code) => [code, { value: example(new Problem(code, `${titleOf(code)}.`)) }]));
  const codesByStatus = Object.groupBy(codesOf(route), statusOf);
  return Object.fromEntries(
    Object.entries(codesByStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${titleOf(code)}.`).join('\n'),
        ...problemHeaders(Number(status)),
        content: {
          [contentType]: { schema, examples: examplesOf(codes) },
          ...(route.errorPage && { 'text/html': { schema: { type: 'string' } } }),
        },
      },
    ]),
  );
}

/** What the guards of a gateway may say to any request. */
const localGuards: readonly ProblemCode[] = ['forbidden', 'misdirected'];

function codesOf(route: Route): ProblemCode[] {
  const { access, body, problems = [] } = route;
  const isLocal = access === 'local' || access === 'guarded';
  const codes = new Set<ProblemCode>([...problems, ...(isLocal ? localGuards : [])]);
  if (!isLocal && access !== 'internal') codes.add('rate_limited');
  if (takesAnything(route)) codes.add('invalid_request');
  if (body) codes.add('payload_too_large').add('unsupported_media_type');
  if (route.resource) codes.add('precondition_failed');
  if (route.creates) codes.add('idempotency_key_reused');
  if (access !== 'public' && access !== 'local') codes.add('unauthenticated');
  if (typeof access === 'object') {
    codes.add('forbidden'); // an application may have been allowed less
    if (access.needs.length > 0) codes.add('not_found');
  }
  return problemCodes.filter((code) => codes.has(code));
}

const takesAnything = ({ path, query, body, creates }: Route): boolean =>
  Boolean(query || body || creates) || paramNames(path).length > 0;
