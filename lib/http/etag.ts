import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Tags a success with the hash of its bytes, unless its handler did; a reader that has them gets 304 without them. */
export function matchEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const etag = reply.statusCode === 200 && typeof payload === 'string' && (ownEtag(reply) ?? etagOf(payload));
  if (etag) reply.header('etag', etag).header('cache-control', 'no-cache');
  const isKnown = etag && namesEtag(request.headers['if-none-match'], etag);
  if (isKnown) reply.code(304).removeHeader('content-type');
  const isHead = request.method === 'HEAD'; // its body is taken off behind this, which needs one
  done(null, isKnown && !isHead ? null : payload);
}

const ownEtag = (reply: FastifyReply): string | undefined => reply.getHeader('etag') as string | undefined;

export const etagOf = (text: string): string => `"${hash('sha1', text, 'base64url')}"`;

/** True when a list of tags, or *, names this one. Compressed answers have tags of their own, which name the same state. */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header.split(',').some((part) => part.trim() === '*' || opaque(part.trim()) === opaque(etag));
}

const opaque = (etag: string): string => etag.replace(/^W\//, '').replace(/-gzip"$/, '"');
