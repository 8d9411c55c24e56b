import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Bus } from './bus.ts';
import { unitOn } from './buses.ts';
import { RtuFraming } from './rtu-framing.ts';
import { registersAt, rightAnswer } from './testing/hostile-server.ts';
import { line, rtuFrame } from './testing/rtu-device.ts';

/** A line with simulated time, so that its noise has only the given gaps. */
function openLine(t: TestContext) {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let hear: (bytes: Uint8Array) => void = () => {};
  const requests: Uint8Array[] = [];
  const bus = new Bus('the line', new RtuFraming(line), async () => ({
    write(request) {
      requests.push(request);
      const frame = Buffer.from(request);
      hear(rtuFrame(frame[0]!, rightAnswer(frame.subarray(1, -2))));
    },
    onData(take) {
      hear = take;
    },
    onClose() {},
    async close() {},
  }));

  return {
    requests,
    unit: unitOn(bus, 7),
    /** Simulates a busy machine: bytes that arrive meanwhile are read after its timers. */
    async standStill(ms: number, noise?: Uint8Array) {
      now += ms;
      t.mock.timers.tick(ms);
      if (noise) hear(noise);
      await turn();
    },
  };
}

const noise = Buffer.of(0x55);

for (const ms of [2, 30]) {
  test(`a line that is never silent fails a request within a second, with a byte every ${ms} ms`, async (t) => {
    const { unit, requests, standStill } = openLine(t);
    await unit.read('holding', 0, 1);
    await standStill(ms, noise);
    const failed = assert.rejects(unit.read('holding', 0, 1), { name: 'LinkError', message: /is never silent/ });
    for (let passed = 0; passed < 1100; passed += ms) await standStill(ms, noise);
    await failed;
    assert.equal(requests.length, 1);

    const read = unit.read('holding', 5, 1);
    await standStill(25);
    assert.deepEqual(await read, registersAt(5, 1));
  });
}
