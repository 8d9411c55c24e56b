import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { fieldsProblem, Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { etagOf, namesEtag } from './etag.ts';
import { validator } from './validate.ts';

type Fields = Record<string, unknown>;

const readOnlyOf = new WeakMap<FastifyRequest, Fields>();

const propertiesOf = (schema: TSchema | null | undefined): Record<string, TSchema> =>
  schema && 'properties' in schema ? (schema as TObject).properties : {};

/** Removes the read-only fields of a resource from a body; `checkConditions` compares them with the stored ones. */
export function setReadOnlyAside(request: FastifyRequest, { body: schema }: Route, resource: Route): void {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const writable = propertiesOf(schema);
  const shown = propertiesOf(resource.replies[200]);
  const isReadOnly = (name: string): boolean => Object.hasOwn(shown, name) && !Object.hasOwn(writable, name);
  const names = Object.keys(body).filter(isReadOnly);
  if (names.length === 0) return;
  const given = body as Fields;
  readOnlyOf.set(request, Object.fromEntries(names.map((name) => [name, given[name]])));
  request.body = Object.fromEntries(Object.entries(given).filter(([name]) => !isReadOnly(name)));
}

export const hasConditions = (request: FastifyRequest): boolean =>
  request.headers['if-match'] !== undefined || readOnlyOf.has(request);

/** Compares If-Match and read-only fields with the stored resource; `read` returns it as the body of its GET. */
export async function checkConditions(
  request: FastifyRequest,
  { resource, volatile = [] }: Route,
  read: () => Promise<string>,
): Promise<void> {
  const text = await read();
  const match = request.headers['if-match'];
  if (match !== undefined && !namesEtag(match, etagOf(text))) {
    throw new Problem(
      'precondition_failed',
      'If-Match does not match the current state; read the resource again first.',
    );
  }
  const given = readOnlyOf.get(request);
  if (!given) return;
  const stored = JSON.parse(text) as Fields;
  const schemas = propertiesOf(resource!.replies[200]);
  const isFine = (name: string): boolean =>
    volatile.includes(name)
      ? validator(schemas[name]!, 'body', 'ignore')(given[name])
      : isDeepStrictEqual(given[name], stored[name]);
  const wrong = Object.keys(given).filter((name) => !isFine(name));
  if (wrong.length === 0) return;
  throw fieldsProblem(
    'invalid_request',
    wrong.map((name) => ({ path: `body.${name}`, message: 'is read-only and differs from the stored value' })),
  );
}
