import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { type EventStream, formatEvent, openEventStream } from './sse.ts';

async function serve(): Promise<{ port: number; opened: Promise<EventStream>; close(): void }> {
  let open: (stream: EventStream) => void;
  const opened = new Promise<EventStream>((resolve) => {
    open = resolve;
  });
  const server = http.createServer((_, response) => open(openEventStream(response)));
  const port = await listenOnLoopback(server);
  return {
    port,
    opened,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('an event carries its id, its name and each line of its data', () => {
  assert.equal(formatEvent('a\nb', { id: '7', event: 'gap' }), 'id: 7\nevent: gap\ndata: a\ndata: b\n\n');
  assert.equal(formatEvent('{}'), 'data: {}\n\n');
  assert.equal(formatEvent('a\r\nb\rid: 7'), 'data: a\ndata: b\ndata: id: 7\n\n');
});

test('events arrive in order, and the last event is sent before the stream closes', async () => {
  const { port, opened, close } = await serve();
  const response = await fetch(`http://127.0.0.1:${port}`);
  const stream = await opened;
  for (let n = 0; n < 100; n++) stream.send(formatEvent(String(n)));
  stream.end(formatEvent('over', { event: 'end' }));
  const text = await response.text();
  assert.ok(text.startsWith('retry: 3000\n\n'));
  assert.deepEqual(
    [...text.matchAll(/data: (\d+)/g)].map(([, n]) => Number(n)),
    Array.from({ length: 100 }, (_, n) => n),
  );
  assert.ok(text.endsWith('event: end\ndata: over\n\n'));
  close();
});

test('a HEAD request for a stream is answered at once', async () => {
  const { port, opened, close } = await serve();
  const response = await fetch(`http://127.0.0.1:${port}`, { method: 'HEAD', signal: AbortSignal.timeout(5000) });
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal((await opened).isOpen, false);
  close();
});

test('a client that disconnected before the stream began gets none', { timeout: 10_000 }, async () => {
  const opened = Promise.withResolvers<EventStream>();
  const server = http.createServer((_, response) => {
    response.once('close', () => opened.resolve(openEventStream(response)));
  });
  const port = await listenOnLoopback(server);
  const reader = net.connect(port, '127.0.0.1');
  reader.end('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  reader.destroySoon();
  assert.equal((await opened.promise).isOpen, false);
  server.close();
});

test('a close listener added after the end of a stream is called', { timeout: 10_000 }, async () => {
  const { port, opened, close } = await serve();
  const leaving = new AbortController();
  await fetch(`http://127.0.0.1:${port}`, { signal: leaving.signal });
  const stream = await opened;
  leaving.abort();
  await new Promise<void>((resolve) => stream.onClose(resolve));
  await new Promise<void>((resolve) => stream.onClose(resolve));
  close();
});

test('every stream sends a heartbeat every 15 s', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { port, opened, close } = await serve();
  const response = await fetch(`http://127.0.0.1:${port}`);
  const stream = await opened;
  t.mock.timers.tick(14_999);
  stream.send(formatEvent('between'));
  t.mock.timers.tick(1);
  t.mock.timers.tick(15_000);
  stream.end();
  assert.equal(await response.text(), 'retry: 3000\n\ndata: between\n\n: \n\n: \n\n');
  close();
});

for (const { says, request, body } of [
  { says: 'a reader of HTTP/1.0 gets the events as they are', request: 'GET / HTTP/1.0', body: 'data: é\n\n' },
  { says: 'a reader of HTTP/1.1 gets them in chunks', request: 'GET / HTTP/1.1', body: 'a\r\ndata: é\n\n\r\n' },
  { says: 'a HEAD request gets no events', request: 'HEAD / HTTP/1.1', body: undefined },
]) {
  test(says, async () => {
    const { port, opened, close } = await serve();
    const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (more: string) => {
      text += more;
    });
    socket.write(`${request}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const stream = await opened;
    stream.send(formatEvent('é'));
    stream.end();
    await once(socket, 'end');
    const [head, ...rest] = text.split('\r\n\r\n');
    assert.match(head!, /^HTTP\/1.1 200 /);
    if (body) assert.ok(text.includes(body), text);
    else assert.deepEqual(rest, ['']);
    close();
  });
}

test('a reader that stops reading is closed before more than a megabyte is buffered', async () => {
  const { port, opened, close } = await serve();
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.pause();
  const stream = await opened;
  const event = formatEvent('x'.repeat(10_000));
  let sent = 0;
  for (; stream.isOpen && sent < 100_000; sent++) {
    stream.send(event);
    if (sent % 10 === 0) await sleep(0);
  }
  assert.ok(!stream.isOpen);
  assert.ok(sent < 2000, `${sent} events of 10 kB were taken`); // what the kernel buffers, and our megabyte
  socket.destroy();
  close();
});

/** A reader that has asked, and reads nothing yet. */
async function openReader(port: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return socket;
}

const twentyMegabytes = Array.from({ length: 20_000 }, (_, n) => formatEvent('x'.repeat(1000), { id: String(n) }));

test('any number of events is sent as fast as it is read', async () => {
  const { port, opened, close } = await serve();
  const socket = await openReader(port);
  const stream = await opened;
  const sending = stream.sendAll(twentyMegabytes);
  await sleep(200);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.resume();
  await sending;
  stream.end(formatEvent('over', { id: 'last' }));
  await once(socket, 'end');
  assert.deepEqual(
    [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id),
    [...twentyMegabytes.keys(), 'last'].map(String),
  );
  socket.destroy();
  close();
});

test('a reader that stops reading in the middle of many is closed after half a minute', async (t) => {
  const { port, opened, close } = await serve();
  const socket = await openReader(port);
  const stream = await opened;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sending = stream.sendAll(twentyMegabytes);
  for (const began = performance.now(); performance.now() - began < 300; ) await new Promise(setImmediate); // buffers fill
  t.mock.timers.tick(29_999);
  assert.ok(stream.isOpen);
  t.mock.timers.tick(1);
  await sending;
  assert.ok(!stream.isOpen);
  socket.destroy();
  close();
});
