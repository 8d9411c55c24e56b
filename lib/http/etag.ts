import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Tags a success with the hash of its bytes; a reader that has them gets 304 without them. */
export function matchEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload);
  const etag = `"${hash('sha1', payload, 'base64url')}"`;
  reply.header('etag', etag).header('cache-control', 'no-cache');
  if (!names(request.headers['if-none-match'], etag)) return done(null, payload);
  reply.code(304).removeHeader('content-length').removeHeader('content-type');
  done(null, null);
}

function names(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);
}
