import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { paramNames, type ReplyOf, type RequestOf, type Route } from '#contract/route.ts';
import { Id } from '#contract/text.ts';
import { matchEtag } from './etag.ts';
import { compile, type UnknownFields } from './validate.ts';

/** A reply with another status than the first of its route, or with headers. */
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

export type Handler<R extends Route, Extra> = (
  request: RequestOf<R> & Extra,
) => Promise<ReplyOf<R> | Answer<ReplyOf<R>>> | ReplyOf<R> | Answer<ReplyOf<R>>;

/** How a service lets requests in: what it asks before the body is read, and what it wraps around the handler. */
export type Door<Extra> = {
  unknownFields: UnknownFields;
  admit(route: Route): (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;
  serve(route: Route, request: FastifyRequest, handle: (extra: Extra) => unknown): Promise<unknown>;
};

export type Mount<Extra> = <R extends Route>(route: R, handler: Handler<R, Extra>) => void;

/** Binds routes to handlers on this server. A route that does not say who may call it does not start. */
export function createMount<Extra extends object>(app: FastifyInstance, door: Door<Extra>): Mount<Extra> {
  return (route, handler) => {
    if (!route.access) throw new Error(`${route.method} ${route.path} does not say who may call it.`);
    const admit = door.admit(route);
    const firstStatus = Number(Object.keys(route.replies)[0]);

    app.route({
      method: route.method,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      schema: {
        params: route.params ?? Type.Object(Object.fromEntries(paramNames(route.path).map((name) => [name, Id]))),
        querystring: route.query ?? Type.Object({}),
        ...(route.method !== 'GET' && { body: route.body ?? Type.Unsafe<undefined>({}) }),
        response: Object.fromEntries(Object.entries(route.replies).filter(([, schema]) => schema !== null)),
      },
      validatorCompiler: ({ schema, httpPart }) => compile(schema as TSchema, httpPart ?? 'body', door.unknownFields),
      onRequest: (request, reply, done) => {
        try {
          const waiting = admit(request, reply);
          if (waiting) waiting.then(() => done(), done);
          else done();
        } catch (error) {
          done(error as Error);
        }
      },
      ...(route.conditional && { onSend: matchEtag }),
      handler: async (request, reply) => {
        const result = await door.serve(route, request, (extra) =>
          handler({ params: request.params, query: request.query, body: request.body, ...extra } as never),
        );
        return sendAnswer(reply, result, firstStatus, route.contentType);
      },
    });
  };
}

function sendAnswer(reply: FastifyReply, result: unknown, firstStatus: number, contentType?: string): unknown {
  const { status, body, headers } = result instanceof Answer ? result : new Answer(firstStatus, result);
  reply.code(status);
  reply.headers(headers);
  if (contentType) reply.type(contentType);
  return status === 204 ? null : body;
}
