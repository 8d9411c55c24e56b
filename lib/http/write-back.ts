import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { fieldsProblem, Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { isObject } from '../json.ts';
import { etagOf, namesEtag } from './etag.ts';
import { validator } from './validate.ts';

const readOnlyOf = new WeakMap<FastifyRequest, Record<string, unknown>>();

const propertiesOf = (schema: (TSchema & { properties?: Record<string, TSchema> }) | null | undefined) =>
  schema?.properties ?? {};

/** Removes the read-only fields of a resource from a body; `checkConditions` compares them with the stored ones. */
export function setReadOnlyAside(request: FastifyRequest, { body: schema }: Route, resource: Route): void {
  const { body } = request;
  if (!isObject(body)) return;
  const writable = propertiesOf(schema);
  const shown = propertiesOf(resource.replies[200]);
  const isReadOnly = (name: string): boolean => Object.hasOwn(shown, name) && !Object.hasOwn(writable, name);
  const given = Object.entries(body).filter(([name]) => isReadOnly(name));
  if (given.length === 0) return;
  readOnlyOf.set(request, Object.fromEntries(given));
  request.body = Object.fromEntries(Object.entries(body).filter(([name]) => !isReadOnly(name)));
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
  const stored: Record<string, unknown> = JSON.parse(text);
  const schemas = propertiesOf(resource?.replies[200]);
  const wrong = Object.keys(given).filter((name) => {
    const schema = volatile.includes(name) ? schemas[name] : undefined;
    const isFine = schema
      ? validator(schema, 'body', 'ignore')(given[name])
      : isDeepStrictEqual(given[name], stored[name]);
    return !isFine;
  });
  if (wrong.length === 0) return;
  throw fieldsProblem(
    'invalid_request',
    wrong.map((name) => ({ path: `body.${name}`, message: 'is read-only and differs from the stored value' })),
  );
}
