import { Problem, ProblemBody, type ProblemCode, problemBody, problemCodes, statusOf, titleOf } from '../problem.ts';
import { paramNames, type Route } from '../route.ts';
import { isForEveryIdentity } from './access-words.ts';
import type { Response } from './document.ts';
import { problemHeaders } from './headers.ts';
import type { Schemas } from './schemas.ts';

/** One answer for each status that a route can say no with. */
export function problemResponses(route: Route, schemas: Schemas): Record<string, Response> {
  const schema = schemas.place(ProblemBody, 'open');
  const codesByStatus = Object.groupBy(codesOf(route), statusOf);
  return Object.fromEntries(
    Object.entries(codesByStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${titleOf(code)}.`).join('\n'),
        ...problemHeaders(Number(status)),
        content: { 'application/problem+json': { schema, examples: examplesOf(codes) } },
      },
    ]),
  );
}

const examplesOf = (codes: ProblemCode[]): Record<string, { value: ProblemBody }> =>
  Object.fromEntries(codes.map((code) => [code, { value: problemBody(new Problem(code, `${titleOf(code)}.`), '…') }]));

function codesOf(route: Route): ProblemCode[] {
  const { access, problems = [] } = route;
  const codes = new Set<ProblemCode>([...problems, 'rate_limited']);
  if (takesAnything(route)) codes.add('invalid_request');
  if (route.creates) codes.add('idempotency_key_reused');
  if (access !== 'public') codes.add('unauthenticated');
  if (typeof access === 'object') {
    if (access.needs.length > 0) codes.add('not_found');
    if (access.needs.length > 0 || !isForEveryIdentity(access.identity)) codes.add('forbidden');
  }
  return problemCodes.filter((code) => codes.has(code));
}

const takesAnything = ({ path, query, body, creates }: Route): boolean =>
  Boolean(query || body || creates) || paramNames(path).length > 0;
