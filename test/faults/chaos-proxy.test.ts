import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '#sim/listen.ts';
import { until } from '../until.ts';
import { type Chaos, openChaosProxy } from './chaos-proxy.ts';

const message = Buffer.from(Array.from({ length: 4000 }, (_, index) => index % 251));

/** A client at one end, an echo server at the other, and the proxy between them. */
async function open(t: TestContext, chaos: Chaos) {
  let pieces = 0;
  const echo = await listen({ port: 0 }, (socket) => {
    socket.on('data', (bytes: Buffer) => {
      pieces++;
      socket.write(bytes);
    });
  });
  t.after(() => echo.close());
  const proxy = await openChaosProxy(echo.port, chaos);
  t.after(() => proxy.close());
  const socket = connect(proxy.port, proxy.host);
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  const heard: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => heard.push(bytes));
  await once(socket, 'connect');
  return { proxy, socket, heard: () => Buffer.concat(heard), pieces: () => pieces };
}

async function echoed(socket: Socket, heard: () => Buffer, bytes = message): Promise<Buffer> {
  socket.write(bytes);
  return until(heard, ({ length }) => length >= bytes.length);
}

suite('a chaos proxy', { concurrency: 4 }, () => {
  test('without faults passes everything on', async (t) => {
    const { proxy, socket, heard } = await open(t, {});
    assert.deepEqual(await echoed(socket, heard), message);
    assert.equal(proxy.connections(), 1);
  });

  test('delays data in both directions', async (t) => {
    const { socket, heard } = await open(t, { latencyMs: 100, jitterMs: 50 });
    const began = performance.now();
    assert.deepEqual(await echoed(socket, heard), message);
    assert.ok(performance.now() - began >= 200);
  });

  test('splits data into single bytes', async (t) => {
    const { socket, heard, pieces } = await open(t, { sliceBytes: 1 });
    const few = message.subarray(0, 200);
    assert.deepEqual(await echoed(socket, heard, few), few);
    assert.ok(pieces() > 20, `${pieces()} pieces`); // the system may join some of them
  });

  test('limits the bytes per second', async (t) => {
    const { socket, heard } = await open(t, { bytesPerSecond: 4000 });
    const began = performance.now();
    assert.deepEqual(await echoed(socket, heard), message);
    assert.ok(performance.now() - began >= 900);
  });

  test('cuts a connection in the middle of a message', async (t) => {
    const { socket, heard } = await open(t, { cutAfterBytes: 1000 });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(message);
    await closed;
    assert.ok(heard().length < 1000);
  });

  test('that is half open passes nothing until it is repaired', async (t) => {
    const { proxy, socket, heard } = await open(t, {});
    await echoed(socket, heard, message.subarray(0, 10));
    proxy.set({ isHalfOpen: true });
    socket.write(message.subarray(10));
    await sleep(200);
    assert.equal(heard().length, 10);
    assert.ok(!socket.destroyed);
    proxy.set({});
    assert.deepEqual(await until(heard, ({ length }) => length >= message.length), message);
  });

  test('flips single bits', async (t) => {
    const { socket, heard } = await open(t, { flipOneIn: 100 });
    const came = await echoed(socket, heard);
    const wrong = [...came.keys()].map((at) => came[at]! ^ message[at]!).filter((bits) => bits !== 0);
    assert.equal(came.length, message.length);
    assert.ok(wrong.length > 10 && wrong.length < 400, `${wrong.length} bytes`); // 80 are expected
  });
});
