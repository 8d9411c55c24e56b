import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { systemClock as clock } from '#lib/clock.ts';
import { noCable, openCable } from '#test/serial/cable.ts';
import { openSerial } from '#test/serial/open-serial.ts';
import { fixedHouse } from '../testing/fixed-house.ts';
import { p1FormatNames, p1Formats } from './formats.ts';
import { startP1, startP1Tcp } from './meter.ts';
import { meterValues } from './meter-values.ts';

const house = fixedHouse({ load_W: 3456 });
const paceMs = 20;

/** Returns the received text up to `end`. */
async function hear(stream: Readable, end: string): Promise<string> {
  let heard = '';
  for await (const [chunk] of on(stream)) {
    heard += chunk.toString('latin1');
    if (heard.includes(end)) return heard;
  }
  throw new Error(`It ended after ${heard}`);
}
async function* on(stream: Readable): AsyncGenerator<[Buffer]> {
  while (!stream.destroyed) yield (await once(stream, 'data', { signal: AbortSignal.timeout(5000) })) as [Buffer];
}

suite('a P1 meter', () => {
  test('sends to every client of its network adapter', async (t) => {
    const meter = await startP1Tcp({ format: 'dsmr5', house, clock, paceMs }, { port: 0 });
    t.after(() => meter.close());
    const ears = [connect(meter.port, '127.0.0.1'), connect(meter.port, '127.0.0.1')];
    for (const heard of await Promise.all(ears.map((ear) => hear(ear, '!'))))
      assert.match(heard, /\/ISK5\\2SIM382-1000\r\n.*1-0:1\.7\.0\(03\.456\*kW\)/s);
  });

  test('sends at the interval of its format', async (t) => {
    const wire = new PassThrough();
    const meter = startP1({ format: 'dsmr5', house, clock }, wire);
    t.after(() => meter.close());
    const start = performance.now();
    await hear(wire, '!');
    const took = performance.now() - start;
    assert.ok(took > 800 && took < 3000, `${took} ms`);
    const paces = new Set(p1FormatNames.map((name) => p1Formats[name].paceMs));
    assert.deepEqual(
      [...paces].sort((a, b) => a - b),
      [1000, 2000, 5000, 10_000],
    );
  });

  test('sends on a serial line', { skip: noCable }, async (t) => {
    const cable = await openCable();
    const ear = await openSerial({ path: cable.gateway, baudRate: 2400, parity: 'even' });
    const mouth = await openSerial({ path: cable.device, ...p1Formats.aidon.line });
    const meter = startP1({ format: 'aidon', house, clock, paceMs }, mouth.stream);
    t.after(async () => {
      for (const each of [meter, mouth, ear, cable]) await each.close();
    });
    const frame = p1Formats.aidon.write(meterValues(house.at(0)), 0);
    const heard = await hear(ear.stream, Buffer.from([0x16, 0x21]).toString('latin1'));
    assert.ok(heard.includes(frame.subarray(0, 20).toString('latin1')));
  });

  const at = Date.UTC(2025, 0, 1);
  const truth = p1Formats.se.write(meterValues(house.at(at)), 0);
  for (const { fault, says } of [
    { fault: 'silence', says: (heard: Buffer) => heard.length === 0 },
    { fault: 'cut-frame', says: (heard: Buffer) => heard.length > 0 && !heard.includes('!') },
    { fault: 'bit-flip', says: (heard: Buffer) => heard.includes('/ADN9') && !heard.includes(truth) },
    { fault: 'garbage', says: (heard: Buffer) => heard.length > 0 && !heard.includes('/ADN9') },
    { fault: 'flood', says: (heard: Buffer) => heard.length >= 200 * truth.length },
    { fault: 'late', says: (heard: Buffer) => heard.length === 0 },
  ] as const) {
    test(`${fault} is visible on the wire until it is cleared`, async (t) => {
      const wire = new PassThrough({ highWaterMark: 10_000_000 });
      const meter = startP1({ format: 'se', house, clock: { now: () => at }, paceMs }, wire);
      t.after(() => meter.close());
      meter.faults.set(fault, { ms: 60_000 });
      let heard = Buffer.alloc(0);
      for (let waited = 0; waited < 2000 && (waited < paceMs * 3 || !says(heard)); waited += 10) {
        await setTimeout(10);
        heard = Buffer.concat([heard, (wire.read() as Buffer | null) ?? Buffer.alloc(0)]);
      }
      assert.ok(says(heard), heard.toString('latin1').slice(0, 300));
      meter.faults.clear();
      await hear(wire, truth.toString('latin1'));
    });
  }

  test('close closes the connections', async (t) => {
    const meter = await startP1Tcp({ format: 'se', house, clock, paceMs }, { port: 0 });
    t.after(() => meter.close());
    const ear = connect(meter.port, '127.0.0.1').resume();
    meter.faults.set('close');
    await once(ear, 'close');
  });

  test('an unsupported fault is rejected', () => {
    const meter = startP1({ format: 'se', house, clock, paceMs }, new PassThrough());
    assert.throws(() => meter.faults.set('wrong-unit'), /Fault wrong-unit is not supported/);
    return meter.close();
  });
});
