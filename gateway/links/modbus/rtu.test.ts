import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCable } from '#test/serial/cable.ts';
import { startStopwatch } from '#test/stopwatch.ts';
import { until } from '#test/until.ts';
import { LinkError } from '../link-error.ts';
import { createModbusBuses } from './buses.ts';
import { registersAt } from './testing/hostile-server.ts';
import { answerRightly, line, type RtuBehaviour, rtuFrame, startRtuDevice } from './testing/rtu-device.ts';
import { ModbusException } from './unit.ts';

const longestMs = 1250; // a second, the silence before it, the time on the wire, and an allowance for a busy machine

async function openLine(t: { after(close: () => Promise<void>): void }) {
  const cable = await openCable();
  const device = await startRtuDevice(cable.device);
  const buses = createModbusBuses();
  const endpoint = { line: { ...line, port: cable.gateway } };
  const { unit } = buses.acquire(endpoint, 7);
  t.after(async () => {
    await buses.close();
    await device.close();
    await cable.close();
  });
  const counters = () => buses.counters().get(cable.gateway)!;
  return { cable, device, buses, endpoint, unit, counters };
}

const flipped = (bytes: Uint8Array, at: number): Buffer => {
  const damaged = Buffer.from(bytes);
  damaged[at]! ^= 0x10;
  return damaged;
};
/** a whole answer of the right shape with other values */
const wrong = (unit: number): Buffer => rtuFrame(unit, Buffer.concat([Buffer.of(3, 20), Buffer.alloc(20, 0x55)]));
const echoing: RtuBehaviour = ({ request, right, send }) => send(request, right);

const reads: { says: string; outcome: 'value' | 'link error' | { exception: number }; behave: RtuBehaviour }[] = [
  { says: 'answers correctly', outcome: 'value', behave: answerRightly },
  { says: 'does not answer', outcome: 'link error', behave: () => undefined },
  { says: 'repeats the request ahead of the answer', outcome: 'value', behave: echoing },
  {
    says: 'repeats the request and does not answer',
    outcome: 'link error',
    behave: ({ request, send }) => send(request),
  },
  {
    says: 'sends byte after byte',
    outcome: 'value',
    async behave({ right, send }) {
      for (const byte of right) {
        send(Buffer.of(byte));
        await sleep(2);
      }
    },
  },
  {
    says: 'pauses in the middle of the answer',
    outcome: 'value',
    async behave({ right, send }) {
      send(right.subarray(0, 9));
      await sleep(150);
      send(right.subarray(9));
    },
  },
  {
    says: 'sends noise ahead of the answer',
    outcome: 'value',
    behave: ({ right, send }) => send(Buffer.of(0, 7, 3, 255, 7), right),
  },
  {
    says: 'sends noise behind the answer',
    outcome: 'value',
    behave: ({ right, send }) => send(right, Buffer.of(7, 3, 20, 1)),
  },
  { says: 'flips a bit of a register', outcome: 'link error', behave: ({ right, send }) => send(flipped(right, 8)) },
  { says: 'flips a bit of the unit', outcome: 'link error', behave: ({ right, send }) => send(flipped(right, 0)) },
  {
    says: 'flips a bit of the byte count',
    outcome: 'link error',
    behave: ({ right, send }) => send(flipped(right, 2)),
  },
  {
    says: 'flips a bit of the checksum',
    outcome: 'link error',
    behave: ({ right, send }) => send(flipped(right, right.length - 1)),
  },
  {
    says: 'sends a damaged answer, then the right one',
    outcome: 'value',
    behave: ({ right, send }) => send(flipped(right, 8), right),
  },
  {
    says: 'cuts the end of the answer',
    outcome: 'link error',
    behave: ({ right, send }) => send(right.subarray(0, -3)),
  },
  {
    says: 'cuts the beginning of the answer',
    outcome: 'link error',
    behave: ({ right, send }) => send(right.subarray(1)),
  },
  { says: 'answers as another unit', outcome: 'link error', behave: ({ send }) => send(wrong(8)) },
  { says: 'answers after another unit', outcome: 'value', behave: ({ right, send }) => send(wrong(8), right) },
  {
    says: 'answers another function',
    outcome: 'link error',
    behave: ({ send }) => send(rtuFrame(7, Buffer.concat([Buffer.of(4, 20), Buffer.alloc(20, 1)]))),
  },
  {
    says: 'sends one register too few',
    outcome: 'link error',
    behave: ({ send }) => send(rtuFrame(7, Buffer.concat([Buffer.of(3, 18), Buffer.alloc(18, 1)]))),
  },
  {
    says: 'answers with exception 2',
    outcome: { exception: 2 },
    behave: ({ send }) => send(rtuFrame(7, Buffer.of(0x83, 2))),
  },
  { says: 'is busy once', outcome: 'value', behave: ({ send }) => send(rtuFrame(7, Buffer.of(0x83, 6))) },
  { says: 'floods the line', outcome: 'link error', behave: ({ send }) => send(Buffer.alloc(8000, 0x07)) },
  {
    says: 'answers after the timeout',
    outcome: 'link error',
    async behave({ send }) {
      await sleep(1200);
      send(wrong(7));
    },
  },
  {
    says: 'answers just after the end',
    outcome: 'link error',
    async behave({ send }) {
      await sleep(1015);
      send(wrong(7));
    },
  },
];

suite('a device on a serial line that', { concurrency: 4, timeout: 60_000 }, () => {
  for (const { says, outcome, behave } of reads)
    test(`${says}: ${typeof outcome === 'string' ? outcome : 'exception'}, and the next request works`, async (t) => {
      const { device, unit } = await openLine(t);
      assert.deepEqual(await unit.read('holding', 20, 10), registersAt(20, 10));

      let [result, tookMs]: [unknown, number] = [undefined, Number.POSITIVE_INFINITY];
      const isRight = (): boolean => tookMs < longestMs && (outcome !== 'value' || !(result instanceof Error));
      // The machine may be busy at one moment, not at three.
      for (let tries = 0; tries < 3 && !isRight(); tries++) {
        device.misbehave(behave);
        const stopwatch = startStopwatch();
        result = await unit.read('holding', 100, 10).catch((error: unknown) => error);
        tookMs = stopwatch.ms();
      }
      if (outcome === 'value') assert.deepEqual(result, registersAt(100, 10));
      else if (outcome === 'link error') assert.ok(result instanceof LinkError, String(result));
      else assert.equal((result as ModbusException).code, outcome.exception);
      assert.ok(tookMs < longestMs, `it took ${tookMs} ms`);

      for (let address = 300; address < 306; address++)
        assert.deepEqual(await unit.read('holding', address, 10), registersAt(address, 10));
    });
});

suite('a serial line', { concurrency: 4, timeout: 60_000 }, () => {
  test('is left silent for 20 ms ahead of every request', async (t) => {
    const { unit } = await openLine(t);
    await unit.read('holding', 0, 1);
    const began = performance.now();
    for (let reads = 0; reads < 5; reads++) await unit.read('holding', 0, 1);
    assert.ok(performance.now() - began >= 5 * 20);
  });

  test('with noise between the frames never yields a wrong value', async (t) => {
    const { device, unit, counters } = await openLine(t);
    await unit.read('holding', 500, 10);
    for (let address = 0; address < 10; address++) {
      const before = counters().lateAnswers;
      device.send(wrong(7));
      // Noise that arrives after the request cannot be distinguished from its answer.
      await until(() => counters().lateAnswers > before);
      assert.deepEqual(await unit.read('holding', address, 10), registersAt(address, 10));
    }
  });

  test('matches answers of a slow unit again, however often it was late', async (t) => {
    const { device, unit, counters } = await openLine(t);
    device.misbehave(async ({ right, send }) => {
      await sleep(1100);
      send(right);
    }, 3);
    for (let address = 100; address < 112; address++) {
      const values = await unit.read('holding', address, 10).catch((error: unknown) => error);
      if (!(values instanceof LinkError)) assert.deepEqual(values, registersAt(address, 10));
    }
    assert.deepEqual(await unit.read('holding', 500, 10), registersAt(500, 10));
    assert.ok(counters().lateAnswers > 0);
  });

  test('is not blocked by a unit that ignores the probe', async (t) => {
    const { device, unit } = await openLine(t);
    device.always((exchange) => (exchange.request.readUInt16BE(4) === 10 ? answerRightly(exchange) : undefined));
    assert.deepEqual(await unit.read('holding', 0, 10), registersAt(0, 10));
    device.misbehave(() => undefined);
    await assert.rejects(unit.read('holding', 0, 10), LinkError);
    await sleep(5200); // a little longer than a late answer is expected
    assert.deepEqual(await unit.read('holding', 0, 10), registersAt(0, 10));
  });

  test('with an echoing adapter confirms a write only when the device does', async (t) => {
    const { device, unit } = await openLine(t);
    device.always(echoing);
    await unit.write(10, 0x1234);
    assert.deepEqual(
      device.requests.map((request) => request[1]),
      [3, 6],
    );
    await unit.writeMany(10, [1, 2]);
    device.misbehave(({ request, send }) => send(request));
    await assert.rejects(unit.write(10, 1), LinkError);
    await unit.read('holding', 10, 1);
    device.misbehave(({ request, send }) => send(request, rtuFrame(7, Buffer.of(0x86, 3))));
    await assert.rejects(unit.write(10, 1), ModbusException);
  });

  test('without an echo confirms a write by one answer', async (t) => {
    const { device, unit } = await openLine(t);
    await unit.write(10, 0x1234);
    await unit.write(11, 1);
    assert.deepEqual(
      device.requests.map((request) => request[1]),
      [3, 6, 6],
    );
    device.misbehave(({ send }) => send(rtuFrame(7, Buffer.of(6, 0, 10, 0, 9))));
    await assert.rejects(unit.write(10, 1), LinkError);
  });

  test('is shared by its units, and refused with other settings', async (t) => {
    const { buses, endpoint, unit } = await openLine(t);
    const other = buses.acquire(endpoint, 8);
    assert.deepEqual(
      await Promise.all([unit.read('holding', 1, 2), other.unit.read('input', 9, 2)]),
      [registersAt(1, 2), registersAt(9, 2)], // biome-ignore format: pairs
    );
    assert.throws(() => buses.acquire({ line: { ...endpoint.line, baudRate: 9600 } }, 9), { name: 'LineInUse' });
    await other.release();
    assert.deepEqual(await unit.read('holding', 3, 2), registersAt(3, 2));
  });

  test('that is unplugged fails at once', async (t) => {
    const { cable, unit } = await openLine(t);
    await unit.read('holding', 0, 1);
    await cable.close();
    const stopwatch = startStopwatch();
    await assert.rejects(unit.read('holding', 0, 1), LinkError);
    await assert.rejects(unit.read('holding', 0, 1), { name: 'LinkError', message: /Serial port .* not found/ });
    assert.ok(stopwatch.ms() < 200);
  });
});
