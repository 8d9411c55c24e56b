import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { answerTo, openServer } from './on-the-wire.ts';

const head = (...lines: string[]): string => `${['POST /take HTTP/1.1', 'Host: x', ...lines].join('\r\n')}\r\n\r\n`;
const json = 'Content-Type: application/json';
const second = 'GET /quick HTTP/1.1\r\nHost: x\r\n\r\n';
const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
const many = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, n) => `X-${n}: ${'a'.repeat(length)}`);

/** Requests that two readers interpret differently. */
const hostile: { title: string; sent: string | Buffer; status: number }[] = [
  { title: 'two lengths', sent: `${head(json, 'Content-Length: 2', 'Content-Length: 50')}{}${second}`, status: 400 },
  { title: 'two lengths in one', sent: `${head(json, 'Content-Length: 2, 50')}{}${second}`, status: 400 },
  {
    title: 'a length and chunks',
    sent: `${head(json, 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${second}`,
    status: 400,
  },
  {
    title: 'an unknown coding',
    sent: `${head(json, 'Transfer-Encoding: chunked, identity')}0\r\n\r\n${second}`,
    status: 400,
  },
  { title: 'a negative length', sent: `${head(json, 'Content-Length: -1')}${second}`, status: 400 },
  { title: 'a length in hex', sent: `${head(json, 'Content-Length: 0x2')}{}${second}`, status: 400 },
  { title: 'a length with a sign', sent: `${head(json, 'Content-Length: +2')}{}${second}`, status: 400 },
  {
    title: 'a chunk of an absurd length',
    sent: `${head(json, 'Transfer-Encoding: chunked')}fffffffffffffffff\r\n{}\r\n`,
    status: 400,
  },
  {
    title: 'a chunk that is longer than it says',
    sent: `${head(json, 'Transfer-Encoding: chunked')}1\r\n{}\r\n0\r\n\r\n${second}`,
    status: 400,
  },
  { title: 'a space before the colon', sent: `${head(json, 'Content-Length : 2')}{}`, status: 400 },
  { title: 'a folded header', sent: `${head(json, 'X-A: 1\r\n Content-Length: 2')}{}`, status: 400 },
  { title: 'a NUL in a header', sent: head(json, 'X-A: a\0b'), status: 400 },
  { title: 'no host', sent: 'GET /quick HTTP/1.1\r\n\r\n', status: 400 },
  { title: 'a future version', sent: 'GET /quick HTTP/9.9\r\nHost: x\r\n\r\n', status: 505 },
  { title: 'an unknown method', sent: 'STEAL /quick HTTP/1.1\r\nHost: x\r\n\r\n', status: 400 },
  { title: 'bytes of TLS', sent: Buffer.from('16030100c8010000c40303', 'hex'), status: 400 },
  { title: 'ten thousand headers', sent: head(...many(10_000, 1)), status: 431 },
  { title: 'a header of 20 kB', sent: head(...many(1, 20_000)), status: 431 },
  { title: 'an address of 20 kB', sent: `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, status: 431 },
  {
    title: 'a body that is packed',
    sent: Buffer.concat([Buffer.from(head(json, 'Content-Encoding: gzip', `Content-Length: ${bomb.length}`)), bomb]),
    status: 400,
  },
  { title: 'a length of a gigabyte', sent: `${head(json, 'Content-Length: 1000000000')}{`, status: 413 },
  {
    title: 'chunks beyond the limit',
    sent: `${head(json, 'Transfer-Encoding: chunked')}50000\r\n${' '.repeat(0x50000)}\r\n0\r\n\r\n`,
    status: 413,
  },
];

suite('a request with', () => {
  for (const { title, sent, status } of hostile) {
    test(`${title} is answered ${status}, and nothing after it is processed`, async () => {
      await using server = await openServer();
      const answer = await answerTo(server.port, sent);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.equal(answer.match(/HTTP\/1\.1 \d/g)?.length, 1, answer);
      assert.deepEqual(server.reached, []);
      assert.equal((await fetch(`http://127.0.0.1:${server.port}/quick`)).status, 200);
      assert.match(answer, /\r\napi-version: test\r\n/i);
      assert.match(answer, /\r\ncontent-type: application\/problem\+json\r\n/i);
      const [, body = ''] = answer.split('\r\n\r\n');
      assert.partialDeepStrictEqual(JSON.parse(body), {
        status,
        request_id: answer.match(/x-request-id: (\S+)/i)?.[1],
      });
    });
  }
});
