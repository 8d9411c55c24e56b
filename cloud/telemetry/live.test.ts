import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { type EventStream, openEventStream } from '#lib/http/sse.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { until } from '#test/until.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import { listSiteTelemetryRoutes } from '../store/telemetry-registry.ts';
import { createLatest, createLive, eventId, streamSite } from './live.ts';

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

const storeOf = (reads: Partial<TelemetryStore>): TelemetryStore => reads as TelemetryStore;

test('a reading that was stored but not yet announced when a viewer came is sent once', async (t) => {
  const cloud = await openCloud();
  t.after(() => cloud.close());
  const { store, clock } = cloud;
  const { site } = await cloud.home();
  const [route] = await listSiteTelemetryRoutes(store.db, site);
  const telemetry = storeOf({ receivedAfter: async () => [{ der: route!.no, at: 1000, received: 8, body: '{}' }] });
  const latest = createLatest(telemetry, { isShared: false });
  const live = createLive();
  const sent: (string | undefined)[] = [];
  const note = (events: readonly string[]): void => void sent.push(...events.map(eventId));
  const stream: EventStream = {
    isOpen: true,
    send: (events) => note(typeof events === 'string' ? [events] : events.events),
    sendAll: async (events) => note(events),
    end: () => {},
    onClose: () => {},
  };
  await streamSite(stream, site, '7', { store, telemetry, latest, live, clock });
  assert.deepEqual(sent, ['8']);
  for (const ids of [[8], [8, 9], [10]]) {
    for (const id of ids) live.emit(site, `id: ${id}\ndata: {}\n\n`);
    live.flush(site);
  }
  assert.deepEqual(sent, ['8', '9', '10']);
});

test('a reading is new when it is announced, although it was read from the disk just before', async () => {
  const stored = { der: 1, at: 1000, received: 1_000_000, body: '{"W":5}' };
  const latest = createLatest(storeOf({ latest: async () => new Map([[1, stored]]) }), { isShared: false });
  await latest.get([1]);
  const reading = { ...stored, values: { W: 5 } };
  assert.equal(latest.note(1, reading), true);
  assert.equal(latest.note(1, { ...reading, received: 1_000_001 }), false);
});
