import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { suite, type TestContext, test } from 'node:test';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { createUpstream } from './upstream.ts';

const never = new AbortController().signal;

async function serve(t: TestContext, answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  const port = await listenOnLoopback(server);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${port}/`);
}

suite('an HTTP source', () => {
  test('cannot redirect to another address', async (t) => {
    let visits = 0;
    const elsewhere = await serve(t, (_request, response) => {
      visits++;
      response.end('secret');
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const source = await serve(t, (_request, response) =>
        response.writeHead(status, { location: elsewhere.href }).end(),
      );
      await assert.rejects(createUpstream().get(source, never), { name: 'SourceError' });
    }
    assert.equal(visits, 0);
  });

  test('is cancelled after five megabytes', async (t) => {
    let sent = 0;
    const source = await serve(t, (_request, response) => {
      const chunk = 'x'.repeat(100_000);
      const more = (): void => {
        while (!response.destroyed && sent < 60e6) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    await assert.rejects(createUpstream().get(source, never), /too large/);
    assert.ok(sent < 50e6, `${sent} bytes were sent`);
  });
});
