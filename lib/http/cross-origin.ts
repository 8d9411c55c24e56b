import type { FastifyInstance } from 'fastify';

const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-none-match, last-event-id',
  'access-control-max-age': '600',
};

const exposed = [
  'api-version',
  'etag',
  'idempotency-replayed',
  'link',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-request-id',
].join(', ');

/** Lets pages of these origins call and read, `*` those of all. They bring tokens of their own: cookies are not theirs to send. */
export function letPagesCall(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { origin = '', 'access-control-request-method': asked } = request.headers;
    const allowed = [origin, '*'].find((each) => origins.includes(each));
    if (allowed !== '*') reply.header('vary', 'origin');
    if (!origin || !allowed) return done();
    reply.headers({ 'access-control-allow-origin': allowed, 'access-control-expose-headers': exposed });
    if (request.method !== 'OPTIONS' || !asked) return done();
    reply.code(204).headers(preflight).send();
  });
}
