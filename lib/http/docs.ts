import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type OpenApiDocument, openApi, type ServiceDescription } from '#contract/openapi.ts';
import { compress } from './compress.ts';
import { interactivePage, mountAssets, startScript } from './docs/interactive-page.ts';
import { readingPage } from './docs/reading-page.ts';
import { matchEtag } from './etag.ts';

export type DocsPaths = { openapi: string; docs: string; redoc: string };

const onSend = [matchEtag, compress];

const atRoot: DocsPaths = { openapi: '/openapi.json', docs: '/docs', redoc: '/redoc' };

/** Mounts the OpenAPI document, the interactive page and the page to read. They are generated on the first request. */
export function mountDocs(app: FastifyInstance, service: ServiceDescription, paths = atRoot): void {
  const document = (): OpenApiDocument => openApi(service);
  let json: string | undefined;
  app.get(paths.openapi, { onSend }, async (_request, reply) => {
    json ??= JSON.stringify(document());
    return reply.type('application/json').send(json);
  });

  const assets = `${paths.docs}/assets`;
  const interactive = interactivePage(service.title, { assets, redoc: paths.redoc });
  mountAssets(app, assets, startScript(paths.openapi));
  app.get(paths.docs, { onSend }, async (_request, reply) =>
    sendPage(reply, interactive, {
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'", // Swagger UI sets style attributes
      'img-src': "'self' data:",
      'connect-src': "'self'",
    }),
  );

  let reading: Promise<{ page: string; css: string }> | undefined;
  app.get(paths.redoc, { onSend }, async (_request, reply) => {
    reading ??= renderReadingPage(document(), paths);
    const { page, css } = await reading;
    return sendPage(reply, page, { 'style-src': `'sha256-${hash('sha256', css, 'base64')}'` });
  });
}

async function renderReadingPage(document: OpenApiDocument, paths: DocsPaths) {
  const css = await readFile(new URL('docs/reading-page.css', import.meta.url), 'utf8');
  return { page: readingPage(document, paths, css), css };
}

const baseDirectives = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

function sendPage(reply: FastifyReply, page: string, allowed: Record<string, string>): FastifyReply {
  const policy = Object.entries({ ...baseDirectives, ...allowed }).map((directive) => directive.join(' '));
  return reply
    .headers({ 'content-security-policy': policy.join('; '), 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(page);
}
