import type { ServerResponse } from 'node:http';
import { finished, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import { paramsOf, type ReplyOf, type RequestOf, type Route } from '#contract/route.ts';
import { Type } from '#contract/schema.ts';
import { compress } from './compress.ts';
import { etagOf, matchEtag } from './etag.ts';
import { type UnknownFields, validator } from './validate.ts';
import { checkConditions, hasConditions, setReadOnlyAside } from './write-back.ts';

/** A reply with another status than the first one of its route, or with headers. */
export class Answer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Record<string, string>;

  constructor(status: number, body: Body, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An answer that is sent many times: it is serialized and hashed once. */
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

type Serialized = {
  text: string | Uint8Array | Readable;
  /** application/json when absent */
  headers?: Record<string, string>;
  /** called once, when the reply was sent or the client is gone */
  onSent?(): void;
};

/** A reply with status 200 that is already serialized. `Body` is the type of its content; tests check that it is true. */
export class PreSerialized<Body> {
  declare readonly contentType: Body; // exists for the type check only
  readonly text: Serialized['text'];
  readonly headers: Record<string, string>;
  readonly onSent: (() => void) | undefined;

  constructor({ text, headers, onSent }: Serialized) {
    this.text = text;
    this.headers = { 'content-type': 'application/json; charset=utf-8', ...headers };
    this.onSent = onSent;
  }
}

type ReplyCheck = (route: Route, text: string) => void;

let checkReply: ReplyCheck | undefined;

/** Sets a check of every pre-serialized JSON reply. Tests compare them with the schemas of their routes. */
export function checkPreSerialized(check: ReplyCheck): void {
  checkReply = check;
}

/** A reply that stays open, such as an event stream: `open` gets the raw response. */
export class Streaming {
  readonly open: (response: ServerResponse, headers: Record<string, string>) => void;

  constructor(open: Streaming['open']) {
    this.open = open;
  }
}

const unreadMs = 60_000; // a client that reads nothing of a large reply for this long is gone

type Returned<R extends Route> = ReplyOf<R> | Answer<ReplyOf<R>> | PreSerialized<ReplyOf<R>> | Streaming;

/** A handler of a route without a reply body need not return anything. */
type Nothing<R extends Route> = [ReplyOf<R>] extends [undefined] ? Promise<void> : never;

export type Handler<R extends Route, Extra> = (
  request: RequestOf<R> & Extra,
) => Promise<Returned<R>> | Returned<R> | Nothing<R>;

/** How a service admits requests: the checks before the body is read, and what wraps the handler. */
export type Door<Extra> = {
  unknownFields: UnknownFields;
  admit(route: Route): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  serve(route: Route, request: FastifyRequest, handle: (extra: Extra) => unknown): unknown;
};

export type Mount<Extra> = <R extends Route>(route: R, handler: Handler<R, Extra>) => void;

/** Binds routes to handlers on this server. Throws for a route without an access rule. */
export function createMount<Extra extends object>(app: FastifyInstance, door: Door<Extra>): Mount<Extra> {
  const handlers = new Map<Route, (extra: Extra, request: FastifyRequest) => unknown>();

  return <R extends Route>(route: R, handler: Handler<R, Extra>) => {
    if (!route.access) throw new Error(`${route.method} ${route.path} has no access rule.`);
    const { resource } = route;
    const firstStatus = Number(Object.keys(route.replies)[0]);
    const handle = (extra: Extra, { params, query, body }: FastifyRequest) => {
      const validated = { params, query, body } as RequestOf<R>; // by the schemas of the route
      return handler({ ...extra, ...validated });
    };
    handlers.set(route, handle);

    /** Runs in the transaction of the change, so that no other write happens between the check and the change. */
    async function handleIf(resource: Route, extra: Extra, request: FastifyRequest, reply: FastifyReply) {
      const [readResource, schema] = [handlers.get(resource), resource.replies[200]];
      if (!readResource || !schema) throw new Error(`${route.path}: its resource is not mounted.`);
      const serialize = serializerOf(reply, schema);
      await checkConditions(request, route, async () => serialize(bodyOf(await readResource(extra, request))));
      return handle(extra, request);
    }

    app.route({
      method: route.method,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      schema: { ...schemaOf(route) }, // Fastify modifies it
      validatorCompiler: ({ schema, httpPart }) => validator(schema as TSchema, httpPart ?? 'body', door.unknownFields),
      onRequest: door.admit(route),
      ...((mayBeEmpty(route) || resource) && {
        preValidation: (request, _reply, done) => {
          request.body ??= mayBeEmpty(route) ? {} : undefined;
          if (resource) setReadOnlyAside(request, route, resource);
          done();
        },
      }),
      onSend: [...(route.conditional ? [matchEtag] : []), ...(compresses(route) ? [compress] : [])],
      handler: async (request, reply) => {
        const result = await door.serve(route, request, (extra) =>
          resource && hasConditions(request) ? handleIf(resource, extra, request, reply) : handle(extra, request),
        );
        return sendAnswer(reply, result, firstStatus, route, request);
      },
    });
  };
}

/** Compiles the schema with the first reply; as a part of the route it would be compiled at every start. */
const serializerOf = (reply: FastifyReply, schema: TSchema): ((body: unknown) => string) =>
  reply.compileSerializationSchema(schema as Record<string, unknown>) as (body: unknown) => string;

const schemas = new WeakMap<Route, FastifySchema>();

/** Returns the schemas of a request. They are shared, so that several servers of a process compile them once. */
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

/** Returns whether a body without required fields may be omitted. */
const mayBeEmpty = ({ body }: Route): boolean => body !== undefined && 'properties' in body && !('required' in body);

function sendAnswer(
  reply: FastifyReply,
  result: unknown,
  firstStatus: number,
  route: Route,
  { params }: FastifyRequest,
): unknown {
  const { replies, contentType, conditional, location } = route;
  if (result instanceof Streaming) {
    reply.hijack();
    result.open(reply.raw, reply.getHeaders() as Record<string, string>);
    return reply;
  }
  if (result instanceof PreSerialized) return sendSerialized(reply, result, route);
  const answer = result instanceof Answer ? result : undefined;
  const status = answer ? answer.status : firstStatus;
  reply.code(status);
  if (answer) reply.headers(answer.headers);
  if (contentType) reply.type(contentType);
  if (status === 204) return null;
  const body = answer ? answer.body : result;
  if (location && status === 201) reply.header('location', filled(location, { ...Object(params), ...Object(body) }));
  const schema = replies[status];
  if (schema && typeof body === 'object' && !reply.hasHeader('content-type')) {
    reply.header('content-type', 'application/json; charset=utf-8');
    const serialize = serializerOf(reply, schema);
    if (answer instanceof CachedAnswer) {
      const text = answer.text(serialize);
      if (conditional) reply.header('etag', answer.etag(text));
      return text;
    }
    reply.serializer(serialize);
  }
  return body;
}

function sendSerialized(reply: FastifyReply, { text, headers, onSent }: PreSerialized<unknown>, route: Route): unknown {
  const isJson = headers['content-type']?.startsWith('application/json');
  if (checkReply && isJson && (typeof text === 'string' || text instanceof Uint8Array)) {
    checkReply(route, Buffer.from(text).toString());
  }
  if (onSent) {
    finished(reply.raw, () => onSent());
    reply.raw.setTimeout(unreadMs, () => reply.raw.destroy());
  }
  reply.code(200).headers(headers);
  return text;
}

const filled = (template: string, values: Record<string, unknown>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
