import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openCounting, platform } from '#test/gateway/counting-gateway.ts';

suite('a browser', () => {
  const { call, counted } = openCounting();
  const own = { origin: 'http://localhost:8081', 'sec-fetch-site': 'same-origin' };

  for (const { says, headers } of [
    { says: 'on our own page', headers: own },
    { says: 'whose user typed the address', headers: { 'sec-fetch-site': 'none' } },
    { says: 'that sends no information about sites', headers: {} },
    { says: 'on the standard port', headers: { host: 'localhost:80', origin: 'http://localhost' } },
  ]) {
    test(`${says} may`, async () => {
      assert.equal((await call('POST /api/system/reboot', { headers })).status, 200);
    });
  }

  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'https://localhost:8081' },
    { origin: 'http://localhost:8082' },
    { origin: 'http://localhost' },
    { origin: 'http://127.0.0.1:8081' },
    { origin: 'http://localhost:8081.evil.example' },
    { origin: `${platform}.evil.example` },
    { origin: platform.replace('https', 'http') },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'anything' },
    { ...own, 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    { origin: 'https://evil.example', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ];
  for (const headers of foreign) {
    test(`on another page may not: ${JSON.stringify(headers)}`, async () => {
      const before = counted.count;
      for (const what of [
        'GET /api/name',
        'HEAD /api/name',
        'GET /api/wifi/scan',
        'POST /api/system/reboot',
        'POST /api/crypto/sign',
        'OPTIONS /api/crypto/sign',
        'GET /',
        'GET /app/system',
        'GET /openapi.json',
        'GET /absent',
      ]) {
        const { status, headers: answered } = await call(what, { headers });
        assert.equal(status, 403, what);
        assert.equal(answered['access-control-allow-origin'], undefined);
      }
      assert.equal(counted.count, before);
    });
  }

  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  for (const [what, status] of [
    ['GET /', 200],
    ['GET /?from=mail', 200],
    ['GET /app', 200],
    ['GET /app/devices/A1?from=mail', 200],
    ['GET /docs', 200],
    ['GET /redoc', 200],
    ['GET /openapi.json', 403],
    ['GET /api/name', 403],
    ['GET /api/wifi/scan', 403],
    ['POST /', 403],
    ['POST /app/system', 403],
    ['POST /api/system/reboot', 403],
  ] as const) {
    test(`that follows a link to ${what} gets ${status}`, async () => {
      assert.equal((await call(what, { headers: link })).status, status);
    });
  }
});

suite('the page of the platform', () => {
  const { call, counted } = openCounting();
  const headers = { origin: platform, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };

  for (const [what, status] of [
    ['GET /api/name', 200],
    ['GET /api/network', 200],
    ['GET /absent', 404],
    ['POST /api/crypto/sign', 200],
    ['GET /api/wifi/scan', 403],
    ['HEAD /api/wifi/scan', 403],
    ['GET /api/wifi/sca%6e', 403],
    ['GET /api/wifi/scan?x', 403],
    ['POST /api/system/reboot', 403],
    ['POST /api/echo', 403],
    ['DELETE /api/wifi', 403],
  ] as const) {
    test(`gets ${status} for ${what}`, async () => {
      const answer = await call(what, { headers });
      assert.equal(answer.status, status);
      assert.equal(answer.headers['access-control-allow-origin'], status === 403 ? undefined : platform);
      assert.equal(answer.headers['access-control-allow-credentials'], undefined);
      assert.equal(answer.headers.vary, 'origin');
    });
  }

  for (const [path, method, status] of [
    ['/api/name', 'GET', 204],
    ['/api/crypto/sign', 'POST', 204],
    ['/api/wifi/scan', 'GET', 403],
    ['/api/system/reboot', 'POST', 403],
    ['/api/wifi', 'DELETE', 403],
    ['/api/crypto/sign', 'PUT', 403],
  ] as const) {
    test(`whose preflight request is for ${method} ${path} gets ${status}`, async () => {
      const before = counted.count;
      const answer = await call(`OPTIONS ${path}`, {
        headers: {
          ...headers,
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type',
          'access-control-request-private-network': 'true',
        },
      });
      assert.equal(answer.status, status);
      const isAllowed = status === 204;
      assert.equal(answer.headers['access-control-allow-origin'], isAllowed ? platform : undefined);
      assert.equal(answer.headers['access-control-allow-private-network'], isAllowed ? 'true' : undefined);
      if (isAllowed) assert.match(answer.headers['access-control-allow-headers']!, /content-type/);
      assert.equal(counted.count, before);
    });
  }

  test('is refused by a gateway without a platform', async () => {
    const alone = openCounting({ cloudUrl: undefined });
    for (const said of [headers, { 'sec-fetch-site': 'cross-site' }, { origin: '' }]) {
      const answer = await alone.call('GET /api/name', { headers: said });
      assert.equal(answer.status, 403, JSON.stringify(said));
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    }
  });
});
