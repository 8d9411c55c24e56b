import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import fastify, {
  errorCodes,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { ErrorFormat } from '#contract/openapi/responses.ts';
import { Problem } from '#contract/problem.ts';
import { parseJson } from '../json.ts';
import { problemSender } from './problem.ts';
import { refuseUnreadable, refuseUnrouted, unsupportedVersion } from './unreadable-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** the JSON text of the body: the order of its keys is lost in the object */
    bodyText: string;
  }
}

export type ServerOptions = {
  log: FastifyBaseLogger;
  apiVersion: string;
  /** proxies in front of us whose X-Forwarded-For is believed */
  trustProxy?: boolean | string;
  errors?: ErrorFormat;
  /** keep the text of JSON bodies for handlers that need the order of its keys */
  keepsBodyText?: boolean;
  /** `/sites/` is answered as `/sites`; true when absent */
  ignoresTrailingSlash?: boolean;
  /** false where the door knows its own hosts, and refuses all others alike; true when absent */
  checksHostForm?: boolean;
};

const bodyLimitBytes = 256 * 1024;

/** An HTTP server that speaks strict JSON, answers mistakes with problems, and outlives slow clients. */
export function createServer({
  log,
  apiVersion,
  trustProxy = false,
  errors = 'problem',
  keepsBodyText = false,
  ignoresTrailingSlash = true,
  checksHostForm = true,
}: ServerOptions): FastifyInstance {
  const sendProblem = problemSender(errors);
  const newRequestId = requestIds();
  const headersOf = (requestId: string) => ({
    'api-version': apiVersion,
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
  });
  const unroutedAnswers = { form: errors, headers: () => headersOf(newRequestId()) };
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    bodyLimit: bodyLimitBytes,
    genReqId: newRequestId,
    childLoggerFactory: (logger) => logger, // a logger for each request costs more than the few that write to it are worth
    requestTimeout: 30_000,
    connectionTimeout: 120_000, // nothing moves on it, as when nobody reads the answer; streams say something each 15 s
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: ignoresTrailingSlash },
    rewriteUrl: ({ url = '' }) => (ignoresTrailingSlash ? withoutSlash(pathOf(url)) : pathOf(url)),
    exposeHeadRoutes: true,
    frameworkErrors: (error, request, reply) => {
      reply.headers(headersOf(request.id)); // no hook has seen it
      sendProblem(error, request, reply);
    },
    clientErrorHandler: refuseUnreadable(unroutedAnswers),
    forceCloseConnections: true,
    return503OnClosing: false,
  });
  refuseUnrouted(app.server, unroutedAnswers);
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler(nothingThere(app));
  app.decorateRequest('bodyText', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      const parsed = parseJson(body);
      if (keepsBodyText) request.bodyText = body.toString();
      done(null, parsed);
    } catch (error) {
      done(error as Error);
    }
  });
  // Some HTTP libraries name a type even when they send no body.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers['content-type']));
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOf(request.id));
    done(malformed(request.raw, checksHostForm));
  });
  return app;
}

/** The path and query of a request target, which may also be an absolute URL or `*` (RFC 9112, 3.2). */
function pathOf(target: string): string {
  if (target.charCodeAt(0) === 0x2f) return target;
  const path = target.replace(/^https?:\/\/[^/?#]+/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Takes one slash off the end of the path, so that everything behind the router sees one spelling. */
const withoutSlash = (url: string): string => url.replace(/^([^?]*[^?/])\/(?=\?|$)/, '$1');

const hostForm = /^(?:\[[0-9a-f:.]+\]|[^\s/\\?#@:,[\]]*)(?::\d{0,5})?$/i;

/** What Node's parser accepts though HTTP/1.1 does not: another version; a Host that is missing, repeated or not a host. */
function malformed(
  { httpVersion, headers, rawHeaders }: IncomingMessage,
  checksHostForm: boolean,
): Problem | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return unsupportedVersion();
  const { host } = headers;
  if (host === undefined) {
    return httpVersion === '1.0' ? undefined : new Problem('invalid_request', 'The Host header is missing.');
  }
  if (checksHostForm && !hostForm.test(host))
    return new Problem('invalid_request', 'The Host header is not a host name with a port.');
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1 ? new Problem('invalid_request', 'The Host header is repeated.') : undefined;
}

/** Unique across processes and cheap: one random start, then a counter. */
function requestIds(): () => string {
  const start = randomBytes(6).toString('base64url');
  let count = 0;
  return () => `${start}-${(count++).toString(36)}`;
}

/** Tells which methods there are, where there are any. */
export const nothingThere =
  (app: FastifyInstance) =>
  (request: FastifyRequest, reply: FastifyReply): never => {
    throw absent(app, request, reply);
  };

function absent(app: FastifyInstance, { method, url }: FastifyRequest, reply: FastifyReply): Problem {
  const path = url.split('?', 1)[0]!;
  const others = (['GET', 'POST', 'PUT', 'DELETE'] as const).filter((other) =>
    app.findRoute({ method: other, url: path }),
  );
  if (others.length === 0) return new Problem('not_found', `There is nothing at ${method} ${path.slice(0, 200)}.`);
  reply.header('allow', others.join(', '));
  return new Problem('method_not_allowed', `${path.slice(0, 200)} answers to ${others.join(', ')}.`);
}
