import type { Static, TObject, TSchema } from 'typebox';
import type { Access, Scope } from './access.ts';
import type { ProblemCode } from './problem.ts';
import { Type } from './schema.ts';
import { Id } from './text.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Budgets of requests; the numbers belong to the program that serves the route. */
export type Budget = 'ordinary' | 'register' | 'login' | 'claim' | 'control';

/** One operation of a service. The server, the client, the OpenAPI document and the tests read it. */
export type Route = {
  method: Method;
  /** with parameters in braces, as in the OpenAPI document */
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** the scope with which an application may call on somebody's behalf; without one no application may */
  scope?: Scope;
  params?: TObject;
  query?: TObject;
  body?: TSchema;
  /** success statuses and their bodies; null is an answer without a body */
  replies: Record<number, TSchema | null>;
  problems?: readonly ProblemCode[];
  budget?: Budget;
  /** needs the local token of a gateway that is claimed, also where the local API is open */
  isForOwner?: boolean;
  /** reaches out into the local network for the caller; all such routes of a gateway share one budget */
  isProbe?: boolean;
  /** a POST that changes nothing */
  readOnly?: boolean;
  /** honours Idempotency-Key */
  creates?: boolean;
  /** answers carry an ETag and honour If-None-Match */
  conditional?: boolean;
  /** the GET of what a PUT or DELETE changes: its fields may be sent back unchanged, its ETag in If-Match */
  resource?: Route;
  /** read-only fields that change while nobody writes: a PUT may send any valid value */
  volatile?: readonly string[];
  /** where what a 201 created is found: names in braces are fields of the answer, or parameters */
  location?: `/${string}`;
  /** a bare array with limit, cursor and a Link header */
  paged?: boolean;
  contentType?: string;
  /** what a success may come as beside that, where the request asks for it */
  otherTypes?: readonly string[];
  /** the body is a form, not JSON */
  form?: boolean;
  /** errors are those of RFC 6749, not problems */
  oauthErrors?: boolean;
  /** a browser gets its errors as a page */
  errorPage?: boolean;
  /** a single-use ticket in the query may stand for the bearer token */
  ticket?: boolean;
};

export const route = <const R extends Route>(definition: R): R => definition;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;

/** What the client sends and the handler receives. */
export type RequestOf<R extends Route> = {
  params: R['params'] extends TObject ? Static<R['params']> : { [Name in ParamNames<R['path']>]: string };
  query: StaticOr<R['query'], Record<string, never>>;
  body: StaticOr<R['body'], undefined>;
};

/** What a handler answers and the client receives. */
export type ReplyOf<R extends Route> = {
  [Status in keyof R['replies']]: R['replies'][Status] extends TSchema ? Static<R['replies'][Status]> : undefined;
}[keyof R['replies']];

export const paramNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

/** What the names in the path of a route stand for: ids, unless it says otherwise. */
export const paramsOf = ({ params, path }: Route): TObject =>
  params ?? Type.Object(Object.fromEntries(paramNames(path).map((name) => [name, Id])));
