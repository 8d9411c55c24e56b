import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { errorCode } from '../error-code.ts';
import { varyBy } from './compress.ts';

export type PageOptions = {
  /** the HTML file of all pages, in the folder of the built pages */
  entry: 'index.html' | 'gateway.html';
  /** origins that the pages may connect to besides their own */
  connect?: readonly string[];
  /** standalone HTML files by path; they connect to no other origin */
  alone?: Readonly<Record<string, 'authorize.html'>>;
  /** marks the documents, so that pages know it without a request */
  isSimulated?: boolean;
};

export const builtPages = new URL('../../web/dist/', import.meta.url);

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

// Content encodings and the suffixes of precompressed files, the better first.
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const immutable = 'public, max-age=31536000, immutable'; // the name of an asset changes with its content

/** Mounts the web pages: one HTML file for `/` and everything below `/app`, and its assets. */
export function mountPages(
  app: FastifyInstance,
  { entry, connect = [], alone = {}, isSimulated = false }: PageOptions,
): void {
  const sendDocument = (name: string, policy: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'cache-control': 'no-cache' });
    const marked = isSimulated ? await readIfThere(name) : undefined;
    if (!marked) return sendFile(request, reply, name);
    return reply.type(types['.html']!).send(marked.toString().replace('<html', '<html data-simulated'));
  };
  for (const path of ['/', '/app', '/app/*']) app.get(path, sendDocument(entry, policyOf(connect)));
  for (const [path, name] of Object.entries(alone)) app.get(path, sendDocument(name, policyOf([])));

  app.get<{ Params: { file: string } }>('/assets/:file', async (request, reply) => {
    const { file } = request.params;
    if (!/^[\w-][\w.-]*$/.test(file)) throw absent(file);
    return sendFile(request, reply.header('cache-control', immutable), `assets/${file}`);
  });
  for (const name of filesOfDay) {
    app.get(`/${name}`, (request, reply) => sendFile(request, reply.header('cache-control', 'max-age=86400'), name));
  }
  if (entry !== 'index.html') return; // a gateway is reached over plain HTTP, where browsers refuse service workers
  app.get('/service-worker.js', (request, reply) => {
    reply.headers({ 'cache-control': 'no-cache', 'content-security-policy': "default-src 'none'; connect-src 'self'" });
    return sendFile(request, reply, 'service-worker.js');
  });
}

// Icons, and what a browser needs to install the pages as an app.
const filesOfDay = [
  'icon.svg',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
  'manifest.webmanifest',
  'gateway.webmanifest',
];

const policyOf = (connect: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ['connect-src', "'self'", ...connect].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

async function sendFile(request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'] ?? '';
  varyBy(reply, 'accept-encoding');
  reply.type(types[extname(name)] ?? 'application/octet-stream');
  for (const [encoding, ending] of encodings) {
    if (!accepted.includes(encoding)) continue;
    const packed = await readIfThere(name + ending);
    if (packed) return reply.header('content-encoding', encoding).send(packed);
  }
  const bytes = await readIfThere(name);
  if (bytes) return reply.send(bytes);
  throw name.endsWith('.html')
    ? new Problem('unavailable', 'The pages are not built: run npm run build:web. The API is at /docs.')
    : absent(name);
}

const absent = (name: string): Problem => new Problem('not_found', `Page file ${name.slice(0, 200)} not found.`);

async function readIfThere(name: string): Promise<Buffer | undefined> {
  try {
    return await readFile(fileURLToPath(new URL(name, builtPages)));
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes(String(errorCode(error)))) return undefined;
    throw error;
  }
}
