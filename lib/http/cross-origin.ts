import type { FastifyInstance } from 'fastify';
import { varyBy } from './compress.ts';

const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id',
  'access-control-max-age': '600',
};

const exposed = [
  'api-version',
  'etag',
  'idempotency-replayed',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-request-id',
].join(', ');

/** Public data needs no token, so any page may read it. */
const openToAll = '/public/';

/** Lets pages of these origins (`*`: all) call the API, with tokens, not cookies; every origin may read `/public/`. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin = '', 'access-control-request-method': asked } = request.headers;
    const isOpen = origins.includes('*') || request.url.startsWith(openToAll);
    if (!isOpen && origins.length > 0) varyBy(reply, 'origin');
    const allowed = isOpen ? '*' : origins.find((each) => each === origin);
    if (!origin || !allowed) return done();
    reply.headers({ 'access-control-allow-origin': allowed, 'access-control-expose-headers': exposed });
    if (request.method !== 'OPTIONS' || !asked) return done();
    reply.code(204).headers(preflight).send();
  });
}
