import { pipeline, Readable } from 'node:stream';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Shorter responses fit into one packet uncompressed. */
const minBytes = 1024;
const options = { level: 4 }; // close to the size of level 6 in half the time

const compressible = /^(application\/([\w.-]+\+)?(json|xml)|text\/(?!event-stream))/;

/**
 * Compresses a response if the client accepts gzip, off the event loop. Only reads are compressed: the length of a response
 * that holds a new secret next to input of the caller could reveal the secret (BREACH).
 */
export function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload: unknown) => void,
): void {
  const isBytes = typeof payload === 'string' || payload instanceof Uint8Array;
  const isLong = payload instanceof Readable || (isBytes && Buffer.byteLength(payload) >= minBytes);
  const isText = isLong && compressible.test(String(reply.getHeader('content-type') ?? ''));
  const isCandidate = isText && !reply.hasHeader('content-encoding');
  if (isCandidate) varyBy(reply, 'accept-encoding');
  if (!isCandidate || !acceptsGzip(request.headers['accept-encoding'])) {
    done(null, payload);
    return;
  }
  reply.header('content-encoding', 'gzip').removeHeader('content-length');
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string') reply.header('etag', gzipEtag(etag));
  if (isBytes) {
    gzip(payload, options, done);
  } else {
    const zipped = createGzip(options);
    pipeline(payload, zipped, () => {}); // an error destroys both and ends the response
    done(null, zipped);
  }
}

/** Returns the ETag of the compressed representation. */
const gzipEtag = (etag: string): string => etag.replace(/"$/, '-gzip"');

/** Returns whether Accept-Encoding lists gzip or * with a weight above zero. */
function acceptsGzip(header: string | undefined): boolean {
  if (!header) return false;
  const weights = new Map(
    header.split(',').map((part): [string, number] => {
      const [name = '', weight] = part.split(';');
      return [name.trim().toLowerCase(), weight ? Number(/^\s*q=([\d.]+)\s*$/i.exec(weight)?.[1] ?? 0) : 1];
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Adds a request header that the response depends on to Vary, for caches. */
export function varyBy(reply: FastifyReply, header: 'origin' | 'accept-encoding'): void {
  const known = reply.getHeader('vary');
  if (typeof known !== 'string') reply.header('vary', header);
  else if (!known.includes(header)) reply.header('vary', `${known}, ${header}`);
}
