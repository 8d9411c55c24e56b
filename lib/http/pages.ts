import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { varyBy } from './compress.ts';

export type PageOptions = {
  /** the document of all pages, in the folder of the built pages */
  entry: 'index.html' | 'gateway.html';
  /** where the pages may ask beside the address they come from */
  connect?: readonly string[];
  /** documents that stand alone, by their path; they ask nobody else */
  alone?: Readonly<Record<string, 'authorize.html'>>;
};

export const builtPages = new URL('../../web/dist/', import.meta.url);

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
};

// The browser's names of what the build wrote beside each file, the better first.
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const forEver = 'public, max-age=31536000, immutable'; // the name of an asset changes with what is in it

/** The pages for people: one document for `/` and everything below `/app`, and the files it is made of. */
export function mountPages(app: FastifyInstance, { entry, connect = [], alone = {} }: PageOptions): void {
  const sendDocument = (name: string, policy: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'cache-control': 'no-cache' });
    return sendFile(request, reply, name);
  };
  for (const path of ['/', '/app', '/app/*']) app.get(path, sendDocument(entry, policyOf(connect)));
  for (const [path, name] of Object.entries(alone)) app.get(path, sendDocument(name, policyOf([])));

  app.get<{ Params: { file: string } }>('/assets/:file', async (request, reply) => {
    const { file } = request.params;
    if (!/^[\w-][\w.-]*$/.test(file)) throw absent(file);
    return sendFile(request, reply.header('cache-control', forEver), `assets/${file}`);
  });
  app.get('/icon.svg', (request, reply) =>
    sendFile(request, reply.header('cache-control', 'max-age=86400'), 'icon.svg'),
  );
}

const policyOf = (connect: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ['connect-src', "'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

async function sendFile(request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'] ?? '';
  varyBy(reply, 'accept-encoding');
  reply.type(types[name.split('.').at(-1)!] ?? 'application/octet-stream');
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

const absent = (name: string): Problem => new Problem('not_found', `There is no page file ${name.slice(0, 200)}.`);

async function readIfThere(name: string): Promise<Buffer | undefined> {
  try {
    return await readFile(fileURLToPath(new URL(name, builtPages)));
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
