import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { startStopwatch } from '#test/stopwatch.ts';
import { until } from '#test/until.ts';
import { LinkError } from '../link-error.ts';
import { createModbusBuses } from './buses.ts';
import { frame, registersAt, startHostileServer } from './testing/hostile-server.ts';

async function openBus(t: TestContext) {
  const server = await startHostileServer();
  const buses = createModbusBuses();
  t.after(async () => {
    await buses.close();
    await server.close();
  });
  const endpoint = { host: '127.0.0.1', port: server.port };
  const counters = () => buses.counters().get(`127.0.0.1:${server.port}`)!;
  return { server, buses, endpoint, counters, ...buses.acquire(endpoint, 1) };
}

suite('a bus', { concurrency: 4, timeout: 30_000 }, () => {
  test('is one connection for all units of an endpoint, opened by the first request, closed by the last release', async (t) => {
    const { server, buses, endpoint, unit, release } = await openBus(t);
    const other = buses.acquire(endpoint, 2);
    assert.equal(server.connections(), 0);
    const values = await Promise.all([unit.read('holding', 1, 3), other.unit.read('input', 50, 2)]);
    assert.deepEqual(values, [registersAt(1, 3), registersAt(50, 2)]);
    assert.deepEqual(
      server.requests.map(({ unit }) => unit),
      [1, 2],
    );
    assert.equal(server.connections(), 1);
    await release();
    await release();
    assert.deepEqual(await other.unit.read('holding', 7, 1), registersAt(7, 1));
    await other.release();
    await until(() => server.connections() === 0);
    assert.equal(buses.counters().size, 0);
    await assert.rejects(unit.read('holding', 1, 1), LinkError);
  });

  test('sends one request at a time, urgent ones first, each kind in order', async (t) => {
    const { server, unit } = await openBus(t);
    let atOnce = 0;
    server.misbehave(async ({ socket, rightFrame }) => {
      assert.equal(++atOnce, 1);
      await sleep(5);
      atOnce--;
      socket.write(rightFrame);
    }, 100);
    await Promise.all([
      unit.read('holding', 1, 1),
      unit.read('holding', 2, 1),
      unit.read('holding', 3, 1),
      unit.readUrgently('holding', 11, 1),
      unit.write(12, 1),
      unit.readUrgently('holding', 13, 1),
    ]);
    assert.deepEqual(
      server.requests.map(({ pdu }) => pdu.readUInt16BE(1)),
      [11, 12, 13, 1, 2, 3],
    );
  });

  test('writes the given values and leaves 50 ms between two writes', async (t) => {
    const { server, unit } = await openBus(t);
    const writes = [
      () => unit.write(13_049, 2),
      () => unit.writeMany(13_050, [0xaa, 5000]),
      () => unit.write(13_051, 0xffff),
    ];
    const tookMs: number[] = [];
    for (const write of writes) {
      const began = performance.now();
      await write();
      tookMs.push(performance.now() - began);
    }
    assert.ok(Math.min(...tookMs.slice(1)) >= 49, String(tookMs)); // the first write only waits for its connection
    assert.deepEqual(
      server.requests.map(({ pdu }) => pdu.toString('hex')),
      ['0632f90002', '1032fa00020400aa1388', '0632fbffff'],
    );
  });

  test('rejects a write confirmed with another value, and never repeats a write', async (t) => {
    const { server, unit } = await openBus(t);
    await unit.write(1, 1);
    server.misbehave(
      ({ socket, transaction, unit }) => void socket.write(frame(transaction, unit, Buffer.of(6, 0, 1, 0, 9))),
    );
    await assert.rejects(unit.write(1, 2), LinkError);
    server.misbehave(({ socket }) => void socket.destroy());
    await assert.rejects(unit.write(1, 3), LinkError);
    assert.equal(server.requests.length, 3);
  });

  test('reads the vendor of a device that needs several answers for its identification', async (t) => {
    const { server, unit } = await openBus(t);
    const texts = ['ACME', 'Sunny', 'V1.2'];
    server.misbehave(({ socket, transaction, unit, pdu }) => {
      const id = pdu[3]!;
      const head = Buffer.of(43, 14, 1, 1, id < 2 ? 255 : 0, id < 2 ? id + 1 : 0, 1, id, texts[id]!.length);
      socket.write(frame(transaction, unit, Buffer.concat([head, Buffer.from(texts[id]!)])));
    }, 1);
    assert.deepEqual(await unit.identify(), { vendor: 'ACME' });
    server.misbehave(({ socket, transaction, unit }) => {
      socket.write(frame(transaction, unit, Buffer.of(43, 14, 1, 1, 255, 0, 1, 0, 1, 65)));
    }, 1);
    assert.deepEqual(await unit.identify(), { vendor: 'A' });
  });

  test('waits after connecting as long as one of its devices needs', async (t) => {
    const { server, buses, endpoint, unit } = await openBus(t);
    buses.acquire(endpoint, 2, { connectDelayMs: 300 });
    const began = performance.now();
    await unit.read('holding', 0, 1);
    assert.ok(performance.now() - began >= 295);
    assert.equal(server.requests.length, 1);
  });

  test('repeats a read when the device hangs up, also one that needs longer to connect than to answer', async (t) => {
    const { server, buses, endpoint, unit, counters } = await openBus(t);
    buses.acquire(endpoint, 2, { connectDelayMs: 1200 });
    await unit.read('holding', 1, 1);
    server.misbehave(({ socket }) => void socket.destroy());
    assert.deepEqual(await unit.read('holding', 7, 2), registersAt(7, 2));
    assert.deepEqual([counters().timeouts, counters().reconnects], [0, 1]);
  });

  test('that is full rejects further requests at once', async (t) => {
    const { server, unit, counters } = await openBus(t);
    await unit.read('holding', 0, 1);
    server.misbehave(() => sleep(100), 1);
    const reads = Array.from({ length: 300 }, (_, address) => unit.read('holding', address, 1));
    const results = await Promise.allSettled(reads);
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 1 + 300 - 257); // the one without an answer, and all requests after the 256th behind it
    assert.equal(counters().timeouts, 1);
  });

  test('reopens a connection without answers', async (t) => {
    const { server, unit, counters } = await openBus(t);
    await unit.read('holding', 0, 1);
    const deaf = server.requests[0]!.socket;
    server.misbehave(({ socket, rightFrame }) => void (socket !== deaf && socket.write(rightFrame)), 100);
    const results = await Promise.allSettled([1, 2, 3, 4].map((address) => unit.read('holding', address, 1)));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(counters(), { requests: 5, timeouts: 3, lateAnswers: 0, exceptions: 0, reconnects: 1 });
  });

  test('counts late answers and exceptions', async (t) => {
    const { server, unit, counters } = await openBus(t);
    server.misbehave(({ socket, transaction, unit, rightFrame, rightPdu }) => {
      socket.write(Buffer.concat([frame(transaction - 1, unit, rightPdu), rightFrame]));
    }, 2);
    await unit.read('holding', 0, 1);
    await unit.read('holding', 0, 1);
    server.misbehave(
      ({ socket, transaction, unit }) => void socket.write(frame(transaction, unit, Buffer.of(0x83, 2))),
    );
    await assert.rejects(unit.read('holding', 0, 1), { name: 'ModbusException', code: 2 });
    assert.deepEqual(counters(), { requests: 3, timeouts: 0, lateAnswers: 2, exceptions: 1, reconnects: 0 });
  });

  test('survives a device that closes new connections at once', async (t) => {
    const { server, unit } = await openBus(t);
    await unit.read('holding', 0, 1);
    server.refuse(2);
    await assert.rejects(unit.read('holding', 0, 1), LinkError);
    assert.deepEqual(await unit.read('holding', 4, 1), registersAt(4, 1));
  });

  test('that is down makes one attempt for all requests, fails at once, and works again later', async (t) => {
    const listener = createServer();
    const port = await listenOnLoopback(listener);
    listener.close();
    await once(listener, 'close');
    const buses = createModbusBuses();
    t.after(() => buses.close());
    const units = [1, 2, 3].map((id) => buses.acquire({ host: '127.0.0.1', port }, id).unit);

    const failures = await Promise.all(
      units.map((unit) => unit.read('holding', 0, 1).catch((error: unknown) => error)),
    );
    assert.match(String(failures[0]), /Refused: .*refuses the connection/);
    assert.ok(failures.every((failure) => failure === failures[0]));

    let attempts = 0;
    const back = createServer((socket) => {
      attempts++;
      socket.on('data', (request) => {
        socket.write(frame(request.readUInt16BE(0), request[6]!, Buffer.of(3, 2, 0, 42)));
      });
    });
    t.after(() => back.close());
    await listenOnLoopback(back, port);
    const stopwatch = startStopwatch();
    await assert.rejects(units[1]!.read('holding', 0, 1), LinkError);
    assert.ok(stopwatch.ms() < 50);
    assert.equal(attempts, 0);
    await until(() => units[0]!.read('holding', 0, 1).catch(() => undefined)); // the failure is kept for a second
    assert.deepEqual(await Promise.all(units.map((unit) => unit.read('holding', 0, 1))), [[42], [42], [42]]);
    assert.equal(attempts, 1);
  });

  test('that is closed fails queued requests, also while it is being opened', async (t) => {
    const { server, buses, unit } = await openBus(t);
    const first = assert.rejects(unit.read('holding', 0, 1), LinkError);
    await buses.close();
    await first;
    await until(() => server.connections() === 0);
  });

  test('can be reopened right after it was closed', async (t) => {
    const { buses, endpoint, unit, release } = await openBus(t);
    await unit.read('holding', 0, 1);
    const closing = release();
    const again = buses.acquire(endpoint, 1);
    assert.deepEqual(await again.unit.read('holding', 2, 1), registersAt(2, 1));
    await closing;
    assert.deepEqual(await again.unit.read('holding', 3, 1), registersAt(3, 1));
  });

  test('of Modbus TCP cannot be used as a serial line', async (t) => {
    const { buses, server } = await openBus(t);
    const line = {
      port: `tcp://127.0.0.1:${server.port}`,
      baudRate: 9600,
      dataBits: 8,
      parity: 'even',
      stopBits: 1,
    } as const;
    assert.throws(() => buses.acquire({ line }, 1), {
      name: 'LineInUse',
      message: /Modbus TCP and cannot be used with Modbus RTU 9600 8E1/,
    });
  });

  test('rejects addresses and counts outside the protocol limits', async (t) => {
    const { unit, server } = await openBus(t);
    assert.throws(() => unit.read('holding', 65_530, 10), RangeError);
    await assert.rejects(unit.write(0, 70_000), RangeError);
    assert.equal(server.requests.length, 0);
  });
});

for (const { says, isAnswered, timeouts } of [
  { says: 'an answer received while this process was suspended is not late', isAnswered: true, timeouts: 0 },
  {
    says: 'a device that does not answer times out even after this process was suspended',
    isAnswered: false,
    timeouts: 1,
  },
]) {
  test(says, { timeout: 30_000 }, async (t) => {
    const { server, unit, counters } = await openBus(t);
    await unit.read('holding', 0, 1);
    if (!isAnswered) server.misbehave(() => {});
    const answer = unit.read('holding', 20, 2).catch((error: unknown) => error);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500); // longer than a device may take
    if (isAnswered) assert.deepEqual(await answer, registersAt(20, 2));
    else assert.match(String(await answer), /did not answer within 1000 ms/);
    assert.equal(counters().timeouts, timeouts);
  });
}
