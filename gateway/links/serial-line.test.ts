import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { openCable } from '#test/serial/cable.ts';
import { LinkError } from './link-error.ts';
import { type ByteLine, openSerialLine } from './serial-line.ts';

const settings = { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 } as const;

function received(line: ByteLine, count: number): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  let bytes = Buffer.alloc(0);
  line.onData((more) => {
    bytes = Buffer.concat([bytes, more]);
    if (bytes.length >= count) resolve(bytes);
  });
  return promise;
}

const closed = (line: ByteLine): Promise<Error | undefined> => new Promise((resolve) => line.onClose(resolve));

suite('a serial port', { timeout: 20_000 }, () => {
  test('carries all 256 byte values unchanged in both directions', async () => {
    const cable = await openCable();
    const near = await openSerialLine({ ...settings, port: cable.gateway });
    const far = await openSerialLine({ ...settings, port: cable.device, stopBits: 1.5 });
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const [atFar, atNear] = [received(far, 256), received(near, 256)];
    near.write(bytes);
    far.write(bytes);
    assert.deepEqual([await atFar, await atNear], [bytes, bytes]);
    await Promise.all([near.close(), far.close()]);
    await cable.close();
  });

  test('is free again once it is closed, and reports its end once', async () => {
    const cable = await openCable();
    for (const baudRate of [9600, 19_200, 115_200]) {
      const line = await openSerialLine({ ...settings, port: cable.gateway, baudRate });
      const ends: (Error | undefined)[] = [];
      line.onClose((error) => ends.push(error));
      await line.close();
      await line.close();
      assert.deepEqual(ends, [undefined]);
    }
    await cable.close();
  });

  test('that is unplugged ends with an error and uses no CPU time', async () => {
    const cable = await openCable();
    const lines = await Promise.all([cable.gateway, cable.device].map((port) => openSerialLine({ ...settings, port })));
    const ends = lines.map(closed);
    for (const line of lines) line.onData(() => undefined);
    await cable.close();
    const before = process.cpuUsage();
    for (const error of await Promise.all(ends)) assert.ok(error instanceof Error);
    await sleep(300);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 150_000, `${user + system} µs of 300000`);
    for (const line of lines) line.write(Buffer.of(1));
  });

  test('in use is distinguished from a missing one and from a file that is not a port', async () => {
    const cable = await openCable();
    const line = await openSerialLine({ ...settings, port: cable.gateway });
    for (const [port, sentence] of [
      [cable.gateway, /in use by another program/],
      [`${cable.gateway}-none`, /Serial port .* not found/],
      ['/dev/null', /is not a serial port/],
      ['tcp://nowhere', /not an address like tcp:/],
    ] as const)
      await assert.rejects(openSerialLine({ ...settings, port }), (error) => {
        assert.ok(error instanceof LinkError);
        assert.match(error.message, sentence);
        return true;
      });
    await line.close();
    await cable.close();
  });
});

suite('a serial adapter on the network', { timeout: 20_000 }, () => {
  async function startAdapter(serve: (socket: Socket) => void) {
    const server = createServer(serve);
    return { server, port: `tcp://127.0.0.1:${await listenOnLoopback(server)}` };
  }

  test('carries bytes in both directions', async () => {
    const { server, port } = await startAdapter((socket) => socket.pipe(socket));
    const line = await openSerialLine({ ...settings, port });
    const back = received(line, 3);
    line.write(Buffer.of(0, 10, 255));
    assert.deepEqual(await back, Buffer.of(0, 10, 255));
    await line.close();
    server.close();
  });

  test('that hangs up ends the line without an error, one that resets with one', async () => {
    for (const isReset of [false, true]) {
      const { server, port } = await startAdapter((socket) =>
        socket.once('data', () => (isReset ? socket.resetAndDestroy() : socket.end())),
      );
      const line = await openSerialLine({ ...settings, port });
      const end = closed(line);
      line.onData(() => undefined);
      line.write(Buffer.of(1));
      assert.equal((await end) instanceof Error, isReset);
      line.write(Buffer.of(2));
      server.close();
    }
  });

  test('that does not exist is reported', async () => {
    const { server, port } = await startAdapter(() => undefined);
    server.close();
    await once(server, 'close');
    await assert.rejects(openSerialLine({ ...settings, port }), {
      name: 'Refused',
      message: /refuses the connection/,
    });
  });
});
