import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { pino } from 'pino';
import { may } from '#contract/access.ts';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import { openApi, type ServiceDescription } from '#contract/openapi.ts';
import { type Route, route } from '#contract/route.ts';
import { Type } from '#contract/schema.ts';
import { mountDocs } from './docs.ts';
import { createServer } from './server.ts';

const paths = { openapi: '/v1/openapi.json', docs: '/v1/docs', redoc: '/v1/redoc' };

const describedBy = (routes: readonly Route[], title = 'Test'): ServiceDescription => ({
  title,
  version: '1.2.3',
  description: 'For `tests`.',
  routes,
});

function serve(service: ServiceDescription) {
  const app = createServer({ log: pino({ level: 'silent' }), apiVersion: '1' });
  after(() => app.close());
  mountDocs(app, service, paths);
  return app;
}

const app = serve(describedBy(cloudRoutes));

const hostile = `"><script>alert('x')</script>&`;

const hostileRoute = route({
  method: 'POST',
  path: '/things/{thing_id}',
  tag: hostile,
  summary: hostile,
  description: hostile,
  access: may('manage', 'site', 'params.thing_id'),
  query: Type.Object({ [hostile]: Type.String({ description: hostile }) }),
  body: Type.Object({
    name: Type.String({ description: hostile, default: "it's" }),
    parts: Type.Array(Type.Object({ size: Type.Integer({ minimum: 2, maximum: 4 }) })),
  }),
  replies: { 201: Type.Object({ [hostile]: Type.String({ enum: [hostile] }) }, { title: 'Thing' }) },
});

suite('the document', () => {
  test('is served as JSON', async () => {
    const reply = await app.inject(paths.openapi);
    assert.equal(reply.statusCode, 200);
    assert.match(String(reply.headers['content-type']), /^application\/json/);
    assert.deepEqual(reply.json(), openApi(describedBy(cloudRoutes)));
  });

  test('is answered 304 to clients that have it', async () => {
    const { headers } = await app.inject(paths.openapi);
    const again = await app.inject({ url: paths.openapi, headers: { 'if-none-match': headers.etag } });
    assert.equal(again.statusCode, 304);
    const head = await app.inject({ method: 'HEAD', url: paths.openapi, headers: { 'if-none-match': headers.etag } });
    assert.deepEqual([head.statusCode, head.body], [304, '']);
    assert.equal(again.body, '');
  });
});

for (const page of ['docs', 'redoc'] as const) {
  suite(`the page at ${paths[page]}`, () => {
    test('is HTML that loads nothing from elsewhere', async () => {
      const reply = await app.inject(paths[page]);
      assert.equal(reply.statusCode, 200);
      assert.match(String(reply.headers['content-type']), /^text\/html/);
      assert.doesNotMatch(reply.body, /(src|href|action)="(\w+:)?\/\//);
      assert.doesNotMatch(reply.body, /url\(|@import|https?:/);
    });

    test('may not load anything else either', async () => {
      const policy = String((await app.inject(paths[page])).headers['content-security-policy']);
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /http|\*|unsafe-eval|script-src[^;]*unsafe/);
    });

    test('escapes what the routes say', async () => {
      const { body } = await serve(describedBy([hostileRoute], hostile)).inject(paths[page]);
      assert.doesNotMatch(body, /<script>/);
      assert.match(body, /&quot;&gt;&lt;script&gt;alert\(&#39;x&#39;\)&lt;\/script&gt;&amp;/);
    });
  });
}

suite('the interactive page', () => {
  const assets = async (): Promise<string[]> => {
    const { body } = await app.inject(paths.docs);
    return [...body.matchAll(/(?:src|href)="([^"]+\/assets\/[^"]+)"/g)].map((match) => match[1]!);
  };

  test('gets everything it asks for, and may keep it', async () => {
    const found = await assets();
    assert.equal(found.length, 5);
    for (const url of found) {
      const reply = await app.inject(url);
      assert.equal(reply.statusCode, 200, url);
      assert.match(String(reply.headers['content-type']), /^(text\/(css|javascript); charset=utf-8|image\/png)$/, url);
      assert.match(String(reply.headers['cache-control']), /max-age=\d{5,}/);
      const again = await app.inject({ url, headers: { 'if-none-match': reply.headers.etag } });
      assert.equal(again.statusCode, 304, url);
    }
  });

  test('has no script of its own but the one that names the document', async () => {
    assert.doesNotMatch((await app.inject(paths.docs)).body, /<script(?! src=")/);
    const start = (await assets()).find((url) => url.endsWith('start.js'))!;
    const { body } = await app.inject(start);
    assert.match(body, /url: "\/v1\/openapi\.json"/);
    assert.match(body, /validatorUrl: null/);
  });
});

suite('the page to read', () => {
  test('has every operation, in the contents and in full', async () => {
    const { body } = await app.inject(paths.redoc);
    const { paths: described } = openApi(describedBy(cloudRoutes));
    for (const { operationId } of Object.values(described).flatMap((methods) => Object.values(methods))) {
      assert.ok(body.includes(`<article id="${operationId}">`), operationId);
      assert.ok(body.includes(`<li><a href="#${operationId}">`), operationId);
    }
  });

  test('has no broken links', async () => {
    const { body } = await app.inject(paths.redoc);
    for (const [, anchor] of body.matchAll(/href="#([^"]+)"/g)) assert.ok(body.includes(`id="${anchor}"`), anchor);
  });

  test('has no script', async () => assert.doesNotMatch((await app.inject(paths.redoc)).body, /<script/));

  test('explains access, fields and how to call', async () => {
    const body = (await serve(describedBy([hostileRoute])).inject(paths.redoc)).body.replaceAll('&quot;', '"');
    assert.match(body, /with the right to manage the site in <code>params\.thing_id<\/code> \(admin or owner\)/);
    assert.match(
      body,
      /<code class="name">size<\/code> <span class="type">integer<\/span>\s+<span class="meaning">2 to 4</,
    );
    assert.match(body, /curl -X POST "\$API\/things\/\$THING_ID\?/);
    assert.match(body, /-H "Authorization: Bearer \$TOKEN"/);
    assert.match(body, /"name": "it&#39;\\&#39;&#39;s",\n {4}"parts": \[/);
  });
});
