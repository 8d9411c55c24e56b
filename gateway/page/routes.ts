import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { matchEtag } from '#lib/http/etag.ts';

const files = [
  { url: '/', file: 'index.html', type: 'text/html; charset=utf-8' },
  { url: '/page/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
  ...['page.js', 'gateway-api.js', 'element.js', 'devices.js', 'control.js', 'platform.js'].map((file) => ({
    url: `/page/${file}`,
    file,
    type: 'text/javascript; charset=utf-8',
  })),
];

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A plain page of the devices and what they measure, for a browser on the local network. */
export function pageRoutes(app: FastifyInstance): void {
  for (const { url, file, type } of files) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    app.get(url, { onSend: matchEtag }, (_request, reply) =>
      reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }).type(type).send(text),
    );
  }
}
