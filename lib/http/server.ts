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
    /** the JSON text of the body, with its keys in order */
    bodyText: string;
  }
  interface FastifyInstance {
    /** Hides secrets in a path that is logged. */
    redactPath(path: string): string;
  }
}

export type ServerOptions = {
  log: FastifyBaseLogger;
  apiVersion: string;
  /** proxies whose X-Forwarded-For is trusted */
  trustProxy?: boolean | string;
  errors?: ErrorFormat;
  /** keeps the text of JSON bodies for handlers that need the order of the keys */
  keepsBodyText?: boolean;
  /** treats `/sites/` as `/sites`; true when absent */
  ignoresTrailingSlash?: boolean;
  /** checks the form of the Host header; true when absent. False if the service accepts a list of hosts only. */
  checksHostForm?: boolean;
  /** hides secrets in the paths that are logged */
  redactPath?(path: string): string;
};

const bodyLimitBytes = 256 * 1024;

/** Creates an HTTP server with strict JSON, problem responses and timeouts for slow clients. */
export function createServer({
  log,
  apiVersion,
  trustProxy = false,
  errors = 'problem',
  keepsBodyText = false,
  ignoresTrailingSlash = true,
  checksHostForm = true,
  redactPath = (path) => path,
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
    childLoggerFactory: (logger) => logger, // a child logger per request is expensive, and few requests log anything
    requestTimeout: 30_000,
    connectionTimeout: 120_000, // without traffic in either direction; event streams send a heartbeat every 15 s
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: ignoresTrailingSlash },
    rewriteUrl: ({ url = '' }) => (ignoresTrailingSlash ? withoutSlash(pathOf(url)) : pathOf(url)),
    exposeHeadRoutes: true,
    frameworkErrors: (error, request, reply) => {
      reply.headers(headersOf(request.id)); // no hook runs for it
      sendProblem(error, request, reply);
    },
    clientErrorHandler: refuseUnreadable(unroutedAnswers),
    forceCloseConnections: true,
    return503OnClosing: false,
  });
  refuseUnrouted(app.server, unroutedAnswers);
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler(routeNotFound(app));
  app.decorateRequest('bodyText', '');
  app.decorate('redactPath', redactPath);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      const parsed = parseJson(body);
      if (keepsBodyText) request.bodyText = body.toString();
      done(null, parsed);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  // Some HTTP libraries send a content type without a body.
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

/** Returns the path and query of a request target, which may also be an absolute URL or `*` (RFC 9112, 3.2). */
function pathOf(target: string): string {
  if (target.charCodeAt(0) === 0x2f) return target;
  const path = target.replace(/^https?:\/\/[^/?#]+/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Removes one trailing slash from the path, so that hooks and handlers see one spelling. */
const withoutSlash = (url: string): string =>
  url.endsWith('/') || url.includes('/?') ? url.replace(/^([^?]*[^?/])\/(?=\?|$)/, '$1') : url;

const hostForm = /^(?:\[[0-9a-f:.]+\]|[^\s/\\?#@:,[\]]*)(?::\d{0,5})?$/i;

/** Returns a problem for requests that Node accepts and HTTP/1.1 does not: another version, or an invalid Host. */
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
  // Names and values alternate.
  const hosts = rawHeaders.filter((text, i) => i % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host');
  return hosts.length > 1 ? new Problem('invalid_request', 'The Host header is repeated.') : undefined;
}

/** Generates cheap ids that are unique across processes: a random prefix and a counter. */
function requestIds(): () => string {
  const start = randomBytes(6).toString('base64url');
  let count = 0;
  return () => `${start}-${(count++).toString(36)}`;
}

/** Answers 405 with the allowed methods if the path exists, else 404. */
export const routeNotFound =
  (app: FastifyInstance) =>
  (request: FastifyRequest, reply: FastifyReply): never => {
    throw absent(app, request, reply);
  };

function absent(app: FastifyInstance, { method, url }: FastifyRequest, reply: FastifyReply): Problem {
  const [path = ''] = url.split('?', 1);
  const others = (['GET', 'POST', 'PUT', 'DELETE'] as const).filter((other) =>
    app.findRoute({ method: other, url: path }),
  );
  if (others.length === 0) return new Problem('not_found', `${method} ${path.slice(0, 200)} does not exist.`);
  reply.header('allow', others.join(', ').replace('GET', 'GET, HEAD'));
  return new Problem('method_not_allowed', `${path.slice(0, 200)} supports ${others.join(', ')}.`);
}
