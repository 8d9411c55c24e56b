import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { type EventStream, openEventStream } from '#lib/http/sse.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { until } from '#test/until.ts';
import { createLatest, createLive, streamSite } from './live.ts';

test('a viewer that reads missed events slower than new ones arrive is disconnected', {
  timeout: 30_000,
}, async (t) => {
  const cloud = await openCloud();
  t.after(() => cloud.close());
  const { store, telemetry, clock } = cloud;
  const live = createLive();
  let id = 0;
  const emit = (count: number, data = '{}'): void => {
    for (let event = 0; event < count; event++) live.emit('site', `id: ${++id}\ndata: ${data}\n\n`);
    live.flush('site');
  };

  const opened = Promise.withResolvers<{ stream: EventStream; socket: net.Socket }>();
  const server = http.createServer(({ socket }, response) => {
    const stream = openEventStream(response);
    const latest = createLatest(telemetry, { isShared: false });
    void streamSite(stream, 'site', undefined, { store, telemetry, latest, live, clock });
    emit(300, 'x'.repeat(60_000)); // more than a connection holds
    opened.resolve({ stream, socket });
  });
  const port = await listenOnLoopback(server);
  t.after(() => server.close());
  const reader = net.connect(port, '127.0.0.1').pause();
  t.after(() => reader.destroy());
  reader.write('GET / HTTP/1.1\r\nHost: cloud.test\r\n\r\n');

  const { stream, socket } = await opened.promise;
  await until(() => socket.writableNeedDrain);
  emit(10_000);
  assert.equal(stream.isOpen, true);
  emit(1);
  assert.equal(stream.isOpen, false);
});
