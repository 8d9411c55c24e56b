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
import type { Response } from './document.ts';
import { problemHeaders } from './headers.ts';
import type { Schemas } from './schemas.ts';

/** How a service writes its errors: as problem details, in the short form of the gateway, or as OAuth (RFC 6749) does. */
export type ErrorForm = 'problem' | 'local' | 'oauth';

const formOf: Record<ErrorForm, { schema: TSchema; contentType: string; example(problem: Problem): object }> = {
  problem: {
    schema: ProblemBody,
    contentType: 'application/problem+json',
    example: (problem) => problemBody(problem, '…'),
  },
  local: { schema: LocalError, contentType: 'application/json', example: localError },
  oauth: { schema: OAuthError, contentType: 'application/json', example: oauthError },
};

/** One answer for each status that a route can say no with. */
export function problemResponses(route: Route, schemas: Schemas, errors: ErrorForm): Record<string, Response> {
  const { schema: body, contentType, example } = formOf[errors];
  const schema = schemas.place(body, 'open');
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
