import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { html } from './html.ts';

/** Renders the page on which operations can be tried, with Swagger UI served from the same origin. */
export const interactivePage = (title: string, { assets, redoc }: { assets: string; redoc: string }): string =>
  html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" type="image/png" href="${assets}/favicon-32x32.png">
    <link rel="stylesheet" href="${assets}/swagger-ui.css">
    <link rel="stylesheet" href="${assets}/interactive-page.css">
  </head>
  <body>
    <noscript><p>This page needs JavaScript. <a href="${redoc}">The reference page</a> does not.</p></noscript>
    <div id="swagger-ui"></div>
    <script src="${assets}/swagger-ui-bundle.js"></script>
    <script src="${assets}/start.js"></script>
  </body>
</html>
`.text;

export const startScript = (openapi: string): string => `SwaggerUIBundle({
  url: ${JSON.stringify(openapi)},
  dom_id: '#swagger-ui',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: 'list',
  showExtensions: true,
  validatorUrl: null,
});
`;

type Asset = { bytes: Buffer; etag: string };

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

const swaggerFolder = import.meta.resolve('swagger-ui-dist/package.json');
const swaggerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Mounts the files of the interactive page. They are read on the first request. */
export function mountAssets(app: FastifyInstance, folder: string, startScript: string): void {
  for (const name of swaggerFiles) {
    mountAsset(app, folder, name, () => readFile(new URL(name, swaggerFolder)));
  }
  const style = 'interactive-page.css';
  mountAsset(app, folder, style, () => readFile(new URL(style, import.meta.url)));
  mountAsset(app, folder, 'start.js', async () => Buffer.from(startScript));
}

function mountAsset(app: FastifyInstance, folder: string, name: string, read: () => Promise<Buffer>): void {
  const load = async (): Promise<Asset> => {
    const bytes = await read();
    return { bytes, etag: `"${hash('sha1', bytes, 'base64url')}"` };
  };
  let loading: Promise<Asset> | undefined;

  app.get(`${folder}/${name}`, async (request, reply) => {
    loading ??= load();
    const { bytes, etag } = await loading;
    reply.headers({ etag, 'cache-control': 'public, max-age=86400' });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.type(types[extname(name)] ?? 'application/octet-stream').send(bytes);
  });
}
