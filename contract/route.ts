import type { Access, Scope } from './access.ts';
import type { ProblemCode } from './problem.ts';
import { Id, Sn, type Static, type TObject, type TSchema, Type } from './schema.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Rate limit classes; each program sets its own limits. */
export type Budget = 'ordinary' | 'register' | 'login' | 'claim' | 'control' | 'alerts';

/** One operation of a service, shared by server, client, OpenAPI document and tests. */
export type Route = {
  method: Method;
  /** with parameters in braces, as in the OpenAPI document */
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** the OAuth scope that lets an application call the route; without it no application can */
  scope?: Scope;
  params?: TObject;
  query?: TObject;
  body?: TSchema;
  /** success statuses and their bodies; null for no body */
  replies: Record<number, TSchema | null>;
  problems?: readonly ProblemCode[];
  budget?: Budget;
  /** needs the local token of a claimed gateway, even if the local API is open */
  isForOwner?: boolean;
  /** probes the local network; all such routes of a gateway share one rate limit */
  isProbe?: boolean;
  /** a POST that changes nothing */
  readOnly?: boolean;
  /** waits for another machine, so it runs outside of a transaction and begins its own to write */
  waits?: boolean;
  /** supports Idempotency-Key */
  creates?: boolean;
  /** replies have an ETag and support If-None-Match */
  conditional?: boolean;
  /** the GET of the resource that a PUT or DELETE changes: its fields may be sent back unchanged, its ETag in If-Match */
  resource?: Route;
  /** read-only fields that change on their own: a PUT may send any valid value */
  volatile?: readonly string[];
  /** path of the resource that a 201 created; names in braces are fields of the reply or parameters */
  location?: `/${string}`;
  /** a bare array with limit, cursor and a Link header */
  paged?: boolean;
  contentType?: string;
  /** other content types of a success, on request */
  otherTypes?: readonly string[];
  /** the body is a form, not JSON */
  form?: boolean;
  /** errors follow RFC 6749 instead of problem details */
  oauthErrors?: boolean;
  /** browsers get errors as a page */
  errorPage?: boolean;
  /** a single-use ticket in the query may replace the bearer token */
  ticket?: boolean;
};

export const route = <const R extends Route>(definition: R): R => definition;

type Common = Pick<Route, 'tag'> & Partial<Route>;

/** Returns functions that define routes with the shared fields and append them to a list, `all`. */
export const routesOf = <const Shared extends Common>(shared: Shared, all: Route[] = []) => {
  type Details = Omit<Route, 'method' | 'path' | 'summary' | keyof Shared>;
  const definer =
    <const M extends Method>(method: M) =>
    <const Path extends Route['path'], const Rest extends Details>(path: Path, summary: string, rest: Rest) => {
      const defined = { ...shared, method, path, summary, ...rest };
      all.push(defined as Route & typeof defined);
      return defined;
    };
  return { get: definer('GET'), post: definer('POST'), put: definer('PUT'), delete: definer('DELETE'), all };
};

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;

export type RequestOf<R extends Route> = {
  params: R['params'] extends TObject ? Static<R['params']> : { [Name in ParamNames<R['path']>]: string };
  query: StaticOr<R['query'], Record<string, never>>;
  body: StaticOr<R['body'], undefined>;
};

export type ReplyOf<R extends Route> = {
  [Status in keyof R['replies']]: R['replies'][Status] extends TSchema ? Static<R['replies'][Status]> : undefined;
}[keyof R['replies']];

export const paramNames = (path: string): string[] => path.match(/(?<=\{)\w+(?=\})/g) ?? [];

/** Returns the schema of the path parameters. By default `sn` is a device serial and any other one an id. */
export const paramsOf = ({ params, path }: Route): TObject =>
  params ?? Type.Object(Object.fromEntries(paramNames(path).map((name) => [name, name === 'sn' ? Sn : Id])));
