import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { openNetwork } from '#test/gateway/open-network.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { startStopwatch } from '#test/stopwatch.ts';

suite('a port check', () => {
  const check = '/api/network/port-check';

  async function listening(t: TestContext): Promise<number> {
    const server = createServer((socket) => socket.on('error', () => {}).end('a banner'));
    t.after(() => server.close());
    return listenOnLoopback(server);
  }

  test('finds an open port', async (t) => {
    const { call } = openNetwork(t, '');
    const port = await listening(t);
    for (const host of ['127.0.0.1', 'localhost']) {
      assert.deepEqual((await call(`POST ${check}`, { body: { host, port } })).body, { host, port, open: true });
    }
  });

  test('finds a closed port', async (t) => {
    const { call } = openNetwork(t, '');
    for (const host of ['127.0.0.1', 'nobody.invalid']) {
      const { status, body } = await call(`POST ${check}`, { body: { host, port: 1 } });
      assert.equal(status, 200);
      assert.deepEqual(body, { host, port: 1, open: false });
    }
  });

  test('times out', async (t) => {
    // An address for documentation, where nothing answers.
    const { call } = openNetwork(t, '', { targets: { resolve: async () => '192.0.2.77' } });
    const stopwatch = startStopwatch();
    const { body } = await call(`POST ${check}`, { body: { host: 'printer.local', port: 9, timeout: 100 } });
    assert.equal(body.open, false);
    assert.ok(stopwatch.ms() < 1500);
  });

  test('waits five seconds at most, whatever the request asks for', async (t) => {
    const { call } = openNetwork(t, '', { targets: { resolve: async () => '192.0.2.77' } });
    const stopwatch = startStopwatch();
    const { status } = await call(`POST ${check}`, { body: { host: 'printer.local', port: 9, timeout: 60_000 } });
    assert.equal(status, 200);
    assert.ok(stopwatch.ms() < 7000);
  });

  const port = 80;
  for (const body of [
    {},
    { host: '127.0.0.1' },
    { port },
    { host: '', port },
    { host: '127.0.0.1', port: 0 },
    { host: '127.0.0.1', port: 65_536 },
    { host: '127.0.0.1', port, timeout: 0 },
    { host: '8.8.8.8', port },
    { host: '169.254.169.254', port },
    { host: '0x7f000001', port },
  ]) {
    test(`of ${JSON.stringify(body)} is refused`, async (t) => {
      const { call } = openNetwork(t, '');
      const { status, body: said } = await call(`POST ${check}`, { body });
      assert.equal(status, 400);
      assert.equal(said.error, 'invalid_request');
    });
  }

  test('is limited to 60 per minute, and every answer shows the remaining number', async (t) => {
    const { call, clock } = openNetwork(t, '');
    const ask = () => call(`POST ${check}`, { body: { host: '127.0.0.1', port: 1 } });
    const { headers } = await ask();
    assert.equal(headers['ratelimit-policy'], '"probe";q=60;w=60');
    assert.equal(headers.ratelimit, '"probe";r=59;t=1');
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) statuses.push((await ask()).status);
    assert.deepEqual(statuses, [...Array(59).fill(200), 429]);
    const refused = await ask();
    assert.equal(refused.headers['retry-after'], '1');
    assert.deepEqual(refused.body, {
      status: 'error',
      error: 'rate_limited',
      message: 'Too many requests; try again in 1 s.',
    });
    clock.advance(1000);
    assert.equal((await ask()).status, 200);
  });
});
