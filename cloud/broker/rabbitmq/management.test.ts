import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { createManagement } from './management.ts';

test('when every node fails, the error contains all their answers', async (t) => {
  const refusing = createServer((_, reply) => reply.writeHead(401).end('{"error":"not_authorised"}'));
  const port = await listenOnLoopback(refusing);
  t.after(() => refusing.close());
  const management = createManagement([`http://me:hunter2@127.0.0.1:${port}`, 'http://me:hunter2@127.0.0.1:2']);
  await assert.rejects(management.closeAllOf('somebody'), {
    message: `The management interface of the broker cannot be used: http://127.0.0.1:${port} answered 401. http://127.0.0.1:2 does not answer.`,
  });
});
