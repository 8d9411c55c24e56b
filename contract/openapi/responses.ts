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
  'API-Version': { description: 'version of this API', schema: text },
  'X-Request-Id': { description: 'id of this request in the server log', schema: text },
  'RateLimit-Policy': { description: 'rate limit: requests (q) per window in seconds (w)', schema: text },
  RateLimit: { description: 'remaining requests (r) and seconds until the limit resets (t)', schema: text },
  'Retry-After': { description: 'seconds to wait before the next attempt', schema: { type: 'integer' } },
  Link: { description: 'link to the next page, as <...>; rel="next"; absent on the last page', schema: text },
  ETag: { description: 'version of this representation, for If-None-Match and If-Match', schema: text },
  Location: { description: 'path of the created resource', schema: text },
  'Idempotency-Replayed': { description: 'true if this is the stored response to an earlier request', schema: text },
};

type HeaderName = keyof typeof describedHeaders;

export const headerComponents: OpenApiDocument['components']['headers'] = describedHeaders;

const references = (names: HeaderName[]): NonNullable<Response['headers']> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export function replyHeaders({ access, paged, conditional, creates, location }: Route) {
  const headers: [HeaderName, unknown][] = [
    ['API-Version', true],
    ['X-Request-Id', true],
    ['RateLimit-Policy', access !== 'internal'],
    ['RateLimit', access !== 'internal'],
    ['Link', paged],
    ['ETag', conditional],
    ['Location', location],
    ['Idempotency-Replayed', creates],
  ];
  return references(headers.flatMap(([name, isSent]) => (isSent ? [name] : [])));
}

/** Returns the headers that tell the client when to retry. */
export function problemHeaders(status: number): Pick<Response, 'headers'> {
  if (status === 429) return { headers: references(['RateLimit-Policy', 'RateLimit', 'Retry-After']) };
  return status === 503 ? { headers: references(['Retry-After']) } : {};
}

export function requestHeaders({ creates, conditional, ticket, resource }: Route): Parameter[] {
  const headers: [name: string, isAccepted: unknown, description: string][] = [
    ['Idempotency-Key', creates, 'unique for each request; a retry with the same key has no second effect'],
    ['Last-Event-ID', ticket, 'id of the last event received; later events are sent first'],
    ['If-Match', resource, 'ETag of the version that was read, or *; 412 if it has changed since'],
    ['If-None-Match', conditional, 'ETag of the cached response; 304 if it is still current'],
  ];
  return headers.flatMap(([name, isAccepted, description]) =>
    isAccepted ? [{ name, in: 'header', required: false, description, schema: text }] : [],
  );
}

/** Error format of a service: problem details, the short format of gateways, or OAuth (RFC 6749). */
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
    codes.add('forbidden'); // an application may lack the scope
    if (access.needs.length > 0) codes.add('not_found');
  }
  return problemCodes.filter((code) => codes.has(code));
}

const takesAnything = ({ path, query, body, creates }: Route): boolean =>
  Boolean(query || body || creates) || paramNames(path).length > 0;
