import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { factoryReset } from '#contract/gateway/system.ts';
import { openCounting, platform } from '#test/gateway/counting-gateway.ts';
import { openLocal } from '#test/gateway/open-local.ts';

const ownAddresses = Object.values(networkInterfaces()).flatMap((addresses) =>
  addresses!.map(({ address }) => address),
);

suite('the host of a request', () => {
  const { call, counted } = openCounting({ names: [' gateway.home', '203.0.113.7', '2001:DB8::7'] });

  for (const host of [
    'localhost',
    'LOCALHOST:8081',
    '127.0.0.1',
    '127.0.0.1:80',
    '[::1]',
    '[0:0:0:0:0:0:0:1]:8081',
    'zap-ohm-0123456789abcdef.local',
    'zap.local.:8081',
    'Gateway.Home',
    '203.0.113.7:8081',
    '[2001:db8:0::7]',
    ...ownAddresses.map((address) => (address.includes(':') ? `[${address}]:1` : address)),
  ]) {
    test(`${host} is ours`, async () => {
      assert.equal((await call('GET /api/name', { headers: { host } })).status, 200);
    });
  }

  for (const host of [
    'evil.example',
    'evil.example:8081',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    'local',
    'evillocal',
    '8.8.8.8',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1@evil.example',
    'evil.example#.local',
    'evil.example/.local',
    'evil.example?.local',
    'evil.example\\.local',
    'localhost:99999',
    'localhost:',
    'localhost:80:80',
    '[::1',
    '::1',
    '[::ffff:127.0.0.1]',
    'localhost, evil.example',
    ' ',
  ]) {
    test(`${host} is not`, async () => {
      const before = counted.count;
      for (const what of ['GET /api/name', 'POST /api/system/reboot', 'GET /', 'GET /openapi.json', 'GET /absent']) {
        const { status, body } = await call(what, { headers: { host } });
        assert.equal(status, 421, what);
        assert.equal(body.error, 'misdirected');
        assert.equal(body.status, 'error');
      }
      assert.equal(counted.count, before);
    });
  }

  test('a request without a host is refused on the wire', async (t) => {
    const { app } = openCounting();
    t.after(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const ask = async (request: string): Promise<string> => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.end(request);
      return (await text(socket)).split('\r\n', 1)[0]!;
    };
    assert.match(await ask('GET /api/name HTTP/1.1\r\n\r\n'), / 400 /);
    assert.match(await ask('GET /api/name HTTP/1.0\r\n\r\n'), / 421 /);
    assert.match(await ask('GET /api/name HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n'), / 200 /);
  });
});

suite('a body', () => {
  const { call, counted } = openCounting();

  for (const type of [
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'text/json',
    'nonsense',
  ]) {
    test(`as ${type} is 415`, async () => {
      const before = counted.count;
      for (const what of ['POST /api/echo', 'POST /api/system/reboot']) {
        const { status, body: said } = await call(what, { body: '{}', headers: { 'content-type': type } });
        assert.equal(status, 415, what);
        assert.equal(said.error, 'unsupported_media_type');
      }
      assert.equal(counted.count, before);
    });
  }

  for (const type of ['application/octet-stream', 'text/plain; charset=utf-8', 'application/x-www-form-urlencoded']) {
    test(`may be empty from a client that declares it ${type}`, async () => {
      for (const what of ['POST /api/system/reboot', 'POST /api/crypto/sign']) {
        assert.equal((await call(what, { body: '', headers: { 'content-type': type } })).status, 200, what);
      }
    });
  }

  test('is optional', async () => {
    assert.equal((await call('POST /api/system/reboot')).status, 200);
    assert.equal((await call('POST /api/system/reboot', { body: '' })).status, 200);
    assert.equal((await call('POST /api/crypto/sign')).status, 200);
  });

  test('reaches the handler as it was sent, with its sender', async () => {
    const { body } = await call('POST /api/echo', { body: '{ "10": 1, "2": 2 }' });
    assert.equal(body.echo, '127.0.0.1 { "10": 1, "2": 2 }');
  });

  test('with unknown fields is accepted', async () => {
    assert.equal((await call('POST /api/crypto/sign', { body: { message: 'a', colour: 'blue' } })).status, 200);
  });
});

suite('the local token', () => {
  const localToken = 'a token of sixteen or more';
  const { call, counted } = openCounting({ api: 'guarded', localToken });

  test('is not needed to read', async () => {
    assert.equal((await call('GET /api/name')).status, 200);
  });

  test('gives access to guarded routes', async () => {
    for (const authorization of [`Bearer ${localToken}`, `bearer ${localToken}`]) {
      assert.equal((await call('POST /api/system/reboot', { headers: { authorization } })).status, 200);
    }
  });

  for (const authorization of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    localToken,
    `Bearer ${localToken}x`,
    `Basic ${localToken}`,
  ]) {
    test(`is not ${authorization}`, async () => {
      const before = counted.count;
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await call('POST /api/system/reboot', { headers });
      assert.equal(answer.status, 401);
      assert.equal(answer.body.error, 'unauthenticated');
      assert.equal(answer.headers['www-authenticate'], 'Bearer');
      assert.equal(counted.count, before);
    });
  }

  test('does not admit pages of other origins', async () => {
    const headers = { authorization: `Bearer ${localToken}`, origin: 'https://evil.example' };
    assert.equal((await call('POST /api/system/reboot', { headers })).status, 403);
  });

  test('is required from the platform too', async () => {
    const answer = await call('POST /api/crypto/sign', { headers: { origin: platform } });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['access-control-allow-origin'], platform);
  });
});

suite('a claimed gateway', () => {
  for (const api of ['open', 'guarded'] as const) {
    test(`requires the local token for changes that could lose its owner (${api})`, async () => {
      const localToken = 'a token of sixteen or more';
      const { mount, call } = openLocal({ api, localToken, isClaimed: () => true });
      mount(factoryReset, () => ({ message: 'reset' }));
      const refused = await call('POST /api/system/factory-reset');
      assert.deepEqual([refused.status, refused.body.error], [403, 'local_token_required']);
      const headers = { authorization: `Bearer ${localToken}` };
      assert.equal((await call('POST /api/system/factory-reset', { headers })).status, 200);
    });
  }
});

suite('the form', () => {
  const { call } = openCounting({ form: 'earlier' });

  for (const [asked, status, name] of [
    [undefined, 200, 'earlier'],
    ['later', 200, 'later'],
    ['LATER', 200, 'later'],
    ['Earlier', 200, 'earlier'],
    ['latest', 400, undefined],
    ['', 400, undefined],
    ['later, earlier', 400, undefined],
  ] as const) {
    test(`${asked} is ${name ?? 'refused'}`, async () => {
      const answer = await call('GET /api/name', { headers: asked === undefined ? {} : { 'x-api-form': asked } });
      assert.equal(answer.status, status);
      assert.equal(answer.body.name, name);
    });
  }
});

suite('the budget of an address', () => {
  test('is reported with every answer and refuses requests above it', async () => {
    const { call } = openCounting({ rate: 2 });
    const { headers } = await call('GET /api/name');
    assert.equal(headers['ratelimit-policy'], '"ordinary";q=2;w=60');
    assert.equal(headers.ratelimit, '"ordinary";r=1;t=30');
    assert.equal((await call('GET /api/name')).status, 200);
    const refused = await call('GET /api/name');
    assert.deepEqual([refused.status, refused.body.error, refused.headers['retry-after']], [429, 'rate_limited', '30']);
  });
});
