import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { openCloud } from '#test/cloud/open-cloud.ts';

const page = 'https://app.example.org';
const stranger = 'https://elsewhere.example';

const asks = {
  origin: page,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization',
};

suite('pages of other origins', async () => {
  const [allowing, open, closed] = await Promise.all(
    [`${page},http://localhost:5173`, '*', ''].map((CORS_ORIGINS) => openCloud({ env: { CORS_ORIGINS } })),
  );
  after(() => Promise.all([allowing, open, closed].map((cloud) => cloud!.close())));
  const ada = await allowing!.person();

  test('that are allowed ask first, call with a token, and read the answer', async () => {
    const preflight = await allowing!.call('OPTIONS', '/organizations', { headers: asks });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], page);
    assert.match(preflight.headers['access-control-allow-methods']!, /\bPOST\b/);
    assert.match(preflight.headers['access-control-allow-headers']!, /\bauthorization\b/);
    const { status, headers } = await allowing!.call('GET', '/organizations', { as: ada, headers: { origin: page } });
    assert.deepEqual([status, headers['access-control-allow-origin'], headers.vary], [200, page, 'origin']);
    assert.match(headers['access-control-expose-headers']!, /\blink\b/);
  });

  test('that are allowed read why they were refused, and never send cookies', async () => {
    const { status, headers } = await allowing!.call('GET', '/organizations', { headers: { origin: page } });
    assert.deepEqual([status, headers['access-control-allow-origin']], [401, page]);
    assert.equal(headers['access-control-allow-credentials'], undefined);
  });

  test('that are not allowed get no CORS headers', async () => {
    const headers = { ...asks, origin: stranger };
    const preflight = await allowing!.call('OPTIONS', '/organizations', { headers });
    assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [405, undefined]);
    const read = await allowing!.call('GET', '/organizations', { as: ada, headers: { origin: stranger } });
    assert.deepEqual([read.headers['access-control-allow-origin'], read.headers.vary], [undefined, 'origin']);
  });

  test('are refused without a setting, and all allowed with *', async () => {
    const refused = await closed!.call('OPTIONS', '/organizations', { headers: asks });
    assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [405, undefined]);
    const read = await open!.call('GET', '/organizations', { headers: { origin: stranger } });
    assert.equal(read.headers['access-control-allow-origin'], '*');
  });

  test('of any origin can read public data, with a preflight request if needed, with any configuration', async () => {
    for (const cloud of [allowing!, open!, closed!]) {
      const asked = { origin: stranger, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x' };
      const preflight = await cloud.call('OPTIONS', '/public/cells', { headers: asked });
      assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [204, '*']);
      const read = await cloud.call('GET', '/public/cells', { headers: { origin: stranger } });
      assert.deepEqual([read.status, read.headers['access-control-allow-origin']], [200, '*']);
      assert.doesNotMatch(read.headers.vary ?? '', /origin/);
    }
    const close = await closed!.call('GET', '/publicity', { headers: { origin: stranger } });
    assert.equal(close.headers['access-control-allow-origin'], undefined);
  });

  test('always read the keys by which tokens are checked', async () => {
    const { headers } = await closed!.call('GET', '/.well-known/jwks.json', { headers: { origin: stranger } });
    assert.equal(headers['access-control-allow-origin'], '*');
  });
});
