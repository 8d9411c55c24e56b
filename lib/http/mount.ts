import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import type { ReplyOf, RequestOf, Route } from '#contract/route.ts';
import { paramsOf } from '#contract/route.ts';
import { Type } from '#contract/schema.ts';
import { compress } from './compress.ts';
import { etagOf, matchEtag } from './etag.ts';
import { type UnknownFields, validator } from './validate.ts';
import { checkConditions, hasConditions, setReadOnlyAside } from './write-back.ts';

/** A reply with another status than the first of its route, or with headers. */
export class Answer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Record<string, string>;
  /** Called once, when the answer was sent or its client is gone. */
  onSent: (() => void) | undefined;

  constructor(status: number, body: Body, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An answer that is given many times: its text and its tag are made once. */
export class CachedAnswer<Body> extends Answer<Body> {
  #text: string | undefined;
  #etag: string | undefined;

  text(serialize: (body: Body) => string): string {
    this.#text ??= serialize(this.body);
    return this.#text;
  }

  etag(text: string): string {
    this.#etag ??= etagOf(text);
    return this.#etag;
  }
}

/** A reply that goes on: what opens it is called with the raw answer. */
export class Streaming {
  readonly open: (response: ServerResponse, headers: Record<string, string>) => void;

  constructor(open: Streaming['open']) {
    this.open = open;
  }
}

const unreadMs = 60_000; // a client that reads nothing of a large answer for so long is gone

type Returned<R extends Route> = ReplyOf<R> | Answer<ReplyOf<R>> | Streaming;

export type Handler<R extends Route, Extra> = (request: RequestOf<R> & Extra) => Promise<Returned<R>> | Returned<R>;

/** How a service lets requests in: what it asks before the body is read, and what it wraps around the handler. */
export type Door<Extra> = {
  unknownFields: UnknownFields;
  admit(route: Route): (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;
  serve(route: Route, request: FastifyRequest, handle: (extra: Extra) => unknown): unknown;
};

export type Mount<Extra> = <R extends Route>(route: R, handler: Handler<R, Extra>) => void;

/** Binds routes to handlers on this server. A route that does not say who may call it does not start. */
export function createMount<Extra extends object>(app: FastifyInstance, door: Door<Extra>): Mount<Extra> {
  const handlers = new Map<Route, Handler<Route, Extra>>();
  return (route, handler) => {
    if (!route.access) throw new Error(`${route.method} ${route.path} does not say who may call it.`);
    handlers.set(route, handler);
    const admit = door.admit(route);
    const firstStatus = Number(Object.keys(route.replies)[0]);

    app.route({
      method: route.method,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      schema: { ...schemaOf(route) }, // the server writes into its own
      validatorCompiler: ({ schema, httpPart }) => validator(schema as TSchema, httpPart ?? 'body', door.unknownFields),
      onRequest: (request, reply, done) => {
        try {
          const waiting = admit(request, reply);
          if (waiting) waiting.then(() => done(), done);
          else done();
        } catch (error) {
          done(error as Error);
        }
      },
      preValidation: (request, _reply, done) => {
        if (request.body === undefined && mayBeEmpty(route)) request.body = {};
        if (route.resource) setReadOnlyAside(request, route, route.resource);
        done();
      },
      onSend: [...(route.conditional ? [matchEtag] : []), ...(compresses(route) ? [compress] : [])],
      handler: (request, reply) => {
        const send = (result: unknown) => sendAnswer(reply, result, firstStatus, route, request);
        const handle = (extra: Extra): unknown =>
          handler({ ...extra, params: request.params, query: request.query, body: request.body } as never);
        const result = door.serve(route, request, (extra) => {
          const { resource } = route;
          if (!resource || !hasConditions(request)) return handle(extra);
          // In the transaction of the change, so nobody can write between the check and the change.
          const read = async (): Promise<unknown> =>
            handlers.get(resource)!({ ...extra, params: request.params, query: {}, body: undefined } as never);
          const serialize = reply.compileSerializationSchema(resource.replies[200] as Record<string, unknown>);
          return checkConditions(request, route, async () =>
            serialize(bodyOf(await read()) as Record<string, unknown>),
          ).then(() => handle(extra));
        });
        return result instanceof Promise ? result.then(send) : send(result);
      },
    });
  };
}

const schemas = new WeakMap<Route, FastifySchema>();

/** What a request is held against: one of a route, so that several servers in a process compile it once. */
function schemaOf(route: Route): FastifySchema {
  const known = schemas.get(route);
  if (known) return known;
  const schema = {
    params: paramsOf(route),
    querystring: route.query ?? Type.Object({}),
    ...(route.method !== 'GET' && { body: route.body ?? Type.Unsafe<undefined>({}) }),
  };
  schemas.set(route, schema);
  return schema;
}

const bodyOf = (result: unknown): unknown => (result instanceof Answer ? result.body : result);

const compresses = ({ method, readOnly }: Route): boolean => method === 'GET' || readOnly === true;

/** A body of which nothing is needed may be left out. */
const mayBeEmpty = ({ body }: Route): boolean => body !== undefined && 'properties' in body && !('required' in body);

function sendAnswer(
  reply: FastifyReply,
  result: unknown,
  firstStatus: number,
  { replies, contentType, conditional, location }: Route,
  { params }: FastifyRequest,
): unknown {
  if (result instanceof Streaming) {
    reply.hijack();
    result.open(reply.raw, reply.getHeaders() as Record<string, string>);
    return reply;
  }
  const answer = result instanceof Answer ? result : undefined;
  const status = answer ? answer.status : firstStatus;
  reply.code(status);
  if (answer) reply.headers(answer.headers);
  if (answer?.onSent) {
    finished(reply.raw, () => answer.onSent?.());
    reply.raw.setTimeout(unreadMs, () => reply.raw.destroy());
  }
  if (contentType) reply.type(contentType);
  if (status === 204) return null;
  const body = answer ? answer.body : result;
  if (location && status === 201)
    reply.header('location', filled(location, { ...(params as object), ...(body as object) }));
  const schema = replies[status];
  if (schema && typeof body === 'object' && !reply.hasHeader('content-type')) {
    // Compiled for the first answer and kept; as a part of the route it would be at every start.
    reply.header('content-type', 'application/json; charset=utf-8');
    const serialize = reply.compileSerializationSchema(schema as Record<string, unknown>);
    if (answer instanceof CachedAnswer) {
      const text = answer.text(serialize);
      if (conditional) reply.header('etag', answer.etag(text));
      return text;
    }
    reply.serializer(serialize);
  }
  return body;
}

const filled = (template: string, values: Record<string, unknown>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
