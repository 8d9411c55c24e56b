import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Adds the hash of a successful response as its ETag unless the handler set one. Answers 304 if the client has it. */
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
  const isHead = request.method === 'HEAD'; // Fastify removes its body later, and needs one until then
  done(null, isKnown && !isHead ? null : payload);
}

const ownEtag = (reply: FastifyReply): string | undefined => reply.getHeader('etag')?.toString();

export const etagOf = (text: string): string => `"${hash('sha1', text, 'base64url')}"`;

/** Returns whether a list of ETags, or *, includes this one. The ETag of a compressed response names the same state. */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header.split(',').some((part) => part.trim() === '*' || opaque(part.trim()) === opaque(etag));
}

const opaque = (etag: string): string => etag.replace(/^W\//, '').replace(/-gzip"$/, '"');
