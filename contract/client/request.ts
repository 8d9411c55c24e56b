import type { TSchema } from 'typebox';
import { fieldProblem } from '../problem.ts';
import type { RequestOf, Route } from '../route.ts';

type Part<Name extends string, Value> = [Value] extends [Record<string, never>]
  ? { [Key in Name]?: never }
  : Partial<Value> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };

type BodyPart<R extends Route> = R['body'] extends TSchema ? { body: RequestOf<R>['body'] } : { body?: never };

/** The arguments of a call; a part is required when the route requires it. */
export type CallRequest<R extends Route> = Part<'params', RequestOf<R>['params']> &
  Part<'query', RequestOf<R>['query']> &
  BodyPart<R> & { idempotencyKey?: string; signal?: AbortSignal };

export type OutgoingRequest = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

export function pathOf({ path }: Route, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    // URL parsers resolve these as path segments, encoded or not.
    if (['', '.', '..'].includes(value)) {
      throw fieldProblem('invalid_request', `params.${name}`, 'must be an id');
    }
    return encodeURIComponent(value);
  });
}

export function queryOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) search.append(name, String(each));
    }
  }
  return search.size > 0 ? `?${search.toString()}` : '';
}

/** Returns the query of the next page. Ignores host and path of the link, so that the token is never sent elsewhere. */
export function nextQuery(link: string | null): string | undefined {
  const [, next = ''] = /<([^<>]*)>\s*;[^,<]*\brel="?next\b/.exec(link ?? '') ?? [];
  return next.includes('?') ? next.slice(next.indexOf('?')) : undefined;
}
