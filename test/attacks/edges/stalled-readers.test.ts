import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { getDer } from '#contract/cloud/devices.ts';
import { readEvents } from '../../cloud/event-reader.ts';
import { connectGateway } from '../../cloud/gateway-client.ts';
import { enrolFleet } from '../../faults/fleet.ts';
import { startPlatform } from '../../faults/platform.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const stalled = 100;
const reading = 5;
const mostGrowthBytes = 100e6;
const mostMs = 2000; // duration of a request meanwhile; a few milliseconds on an idle machine

const longTexts = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`text_${n}`, 'x'.repeat(150)]));
const mostEvents = 20e6 / JSON.stringify(longTexts).length; // more than the kernel buffers for a connection, plus our megabyte
const atOnce = 20;

/** Opens a stream, waits for its beginning, and stops reading. */
async function stall({ port, host, pathname }: URL, authorization: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`);
  await once(socket, 'data');
  return socket.pause();
}

/** Returns the highest growth of a process since this was called. */
function watchGrowth(pid: number): () => number {
  const mostHeld = (): number =>
    1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
  writeFileSync(`/proc/${pid}/clear_refs`, '5'); // resets the recorded peak
  const before = mostHeld();
  return () => mostHeld() - before;
}

test(`${stalled} readers that stop reading at once are disconnected, cost little memory, and delay nobody`, async (t) => {
  const platform = await startPlatform({ DATA_DIR: temporaryFolder(t), CLOUD_PORT: '0', MQTT_PORT: '0' });
  t.after(() => platform.kill());
  const fleet = await enrolFleet(platform.url, 1);
  const [{ signer, der }] = fleet.gateways as [(typeof fleet.gateways)[number]];
  const api = createClient({ baseUrl: platform.url, token: fleet.token });
  const { site_id } = await api.call(getDer, { params: { der_id: der } });
  const url = new URL(`${platform.url}/stream/sites/${site_id}`);
  const authorization = `Bearer ${fleet.token}`;
  const readers = await Promise.all(Array.from({ length: reading }, () => readEvents(url.href, { authorization })));
  const sockets = await Promise.all(Array.from({ length: stalled }, () => stall(url, authorization)));
  const gateway = await connectGateway(platform.mqttUrl!, signer, Date.now());
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    for (const reader of readers) await reader.close();
    await gateway.endAsync(true);
  });

  let slowestMs = 0;
  const openStreams = async (): Promise<number> => {
    const began = performance.now();
    const figures = await (await fetch(`${platform.url}/metrics`)).text();
    slowestMs = Math.max(slowestMs, performance.now() - began);
    return Number(/^streams_open (\d+)$/m.exec(figures)![1]);
  };
  assert.equal(await openStreams(), stalled + reading);
  const growth = watchGrowth(platform.pid);
  const now = Date.now();
  let sent = 0;
  const report = (W: number): Promise<void> => gateway.report('M1', 'grid', { timestamp: now + W, W, ...longTexts });
  for (; (await openStreams()) > reading && sent < mostEvents; sent += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, index) => report(sent + index)));
  }

  console.log(
    `${sent} readings; ${Math.round(growth() / 1e6)} MB more; a request took ${Math.round(slowestMs)} ms at most`,
  );
  assert.equal(await openStreams(), reading);
  assert.ok(growth() < mostGrowthBytes, `${growth()} bytes more`);
  assert.ok(slowestMs < mostMs, `a request took ${slowestMs} ms`);
  for (const reader of readers) {
    assert.deepEqual(
      (await reader.readings(sent)).map(({ data }) => data.W),
      Array.from({ length: sent }, (_, W) => W),
    );
  }
});
