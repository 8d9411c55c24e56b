import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { sendText } from './send-text.ts';

test('the text is written for those alone who do not have it', async () => {
  let written = 0;
  const write = (): Buffer => {
    written += 1;
    return Buffer.from('{"name":"Göteborg"}');
  };
  await using server = createServer((_request, response) =>
    sendText({ etag: '"now"', write }).open(response, { 'x-request-id': 'one' }),
  );
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;

  for (const { tag, status, body } of [
    { tag: undefined, status: 200, body: '{"name":"Göteborg"}' },
    { tag: '"before"', status: 200, body: '{"name":"Göteborg"}' },
    { tag: '"now"', status: 304, body: '' },
    { tag: '"before", W/"now"', status: 304, body: '' },
    { tag: '*', status: 304, body: '' },
  ]) {
    const answer = await fetch(url, { headers: tag === undefined ? {} : { 'if-none-match': tag } });
    assert.deepEqual([answer.status, await answer.text()], [status, body], tag);
    assert.equal(answer.headers.get('content-length'), status === 200 ? '20' : null);
    assert.deepEqual([answer.headers.get('etag'), answer.headers.get('x-request-id')], ['"now"', 'one']);
  }
  assert.equal(written, 2);
});
