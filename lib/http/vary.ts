import type { FastifyReply } from 'fastify';

/** Adds a request header that the answer depends on, for caches between us and the client. */
export function varyBy(reply: FastifyReply, header: 'origin' | 'accept-encoding'): void {
  const known = reply.getHeader('vary');
  if (typeof known !== 'string') reply.header('vary', header);
  else if (!known.split(', ').includes(header)) reply.header('vary', `${known}, ${header}`);
}
