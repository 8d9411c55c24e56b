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

test('a long text is compressed for those who ask for it, under a tag of its own that is known again', async () => {
  const text = JSON.stringify(Array(500).fill('Göteborg'));
  await using server = createServer((_request, response) =>
    sendText({ etag: '"now"', write: () => Buffer.from(text) }).open(response, { vary: 'origin' }),
  );
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  for (const { accepted, coding, etag } of [
    { accepted: 'gzip', coding: 'gzip', etag: '"now-gzip"' },
    { accepted: 'identity', coding: null, etag: '"now"' },
  ]) {
    const answer = await fetch(url, { headers: { 'accept-encoding': accepted } });
    assert.equal(await answer.text(), text);
    const { headers } = answer;
    assert.deepEqual(
      [headers.get('content-encoding'), headers.get('etag'), headers.get('vary')],
      [coding, etag, 'origin, accept-encoding'],
    );
    const again = await fetch(url, { headers: { 'accept-encoding': accepted, 'if-none-match': etag } });
    assert.equal(again.status, 304);
  }
});
