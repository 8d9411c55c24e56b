import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFakeClock } from '#test/fake-clock.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { meterNamed } from '../p1/testing/decode.ts';
import type { Harvest } from './driver.ts';
import { createP1Driver } from './p1-driver.ts';

const telegram = '/ISK5ME382\r\n\r\n1-0:1.7.0(0002.021*kW)\r\n1-0:2.7.0(0000.000*kW)\r\n!\r\n';

test('setting the clock does not make a meter silent', { timeout: 30_000 }, async (t) => {
  const adapter = createServer((socket) => void socket.on('error', () => {}).write(telegram));
  const port = await listenOnLoopback(adapter);
  t.after(() => adapter.close());
  const clock = createFakeClock(1000); // a machine without a battery begins in 1970
  const driver = createP1Driver(
    { type: 'p1_uart', serial_port: `tcp://127.0.0.1:${port}` },
    { clock, resolvePort: async (line) => line, known: undefined },
  );
  t.after(() => driver.close());
  const lost: Error[] = [];
  await driver.open({ onHarvest() {}, onFailedFrame() {}, onLost: (error) => lost.push(error) });
  clock.advance(Date.parse('2026-06-01T12:00:00Z'));
  await sleep(1500);
  assert.deepEqual(lost, []);
});

test('setting the clock during a telegram does not change its duration', { timeout: 30_000 }, async (t) => {
  const clock = createFakeClock(1000);
  const adapter = createServer((socket) => {
    socket.on('error', () => {}).write(telegram.slice(0, 20));
    setTimeout(() => {
      clock.set(Date.parse('2026-06-01T12:00:00Z'));
      socket.write(telegram.slice(20));
    }, 300); // also a busy machine has received the first part by then
  });
  const port = await listenOnLoopback(adapter);
  t.after(() => adapter.close());
  const driver = createP1Driver(
    { type: 'p1_uart', serial_port: `tcp://127.0.0.1:${port}` },
    { clock, resolvePort: async (line) => line, known: undefined },
  );
  t.after(() => driver.close());
  const harvests: Harvest[] = [];
  await driver.open({ onHarvest: (harvest) => harvests.push(harvest), onFailedFrame() {}, onLost() {} });
  assert.deepEqual(
    harvests.map(({ at, tookMs }) => ({ at, isShort: tookMs >= 50 && tookMs < 10_000 })),
    [{ at: 1000, isShort: true }],
  );
});

test('an encrypted meter without a key is distinguished from a silent line', { timeout: 30_000 }, async (t) => {
  const adapter = createServer((socket) => void socket.on('error', () => {}).write(meterNamed('LU encrypted').bytes));
  const port = await listenOnLoopback(adapter);
  t.after(() => adapter.close());
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const driver = createP1Driver(
    { type: 'p1_uart', serial_port: `tcp://127.0.0.1:${port}` },
    { clock: createFakeClock(1000), resolvePort: async (line) => line, known: undefined },
  );
  t.after(() => driver.close());
  const failed = Promise.withResolvers<void>();
  const opening = driver.open({ onHarvest() {}, onFailedFrame: () => failed.resolve(), onLost() {} });
  await failed.promise;
  t.mock.timers.tick(12_000);
  await assert.rejects(opening, /cannot be read: encrypted, and no key is configured\. Set the decryption_key/);
});

const event = '/ISK5ME382\r\n\r\n0-0:96.13.0(303132)\r\n0-1:24.2.1(101209112500W)(12785.123*m3)\r\n!\r\n';

/** A driver of an adapter in the network that sends these bytes to each connection. */
async function driverOf(t: TestContext, send: (socket: Socket) => unknown) {
  const adapter = createServer((socket) => void send(socket.on('error', () => {})));
  const port = await listenOnLoopback(adapter);
  t.after(() => adapter.close());
  const driver = createP1Driver(
    { type: 'p1_uart', serial_port: `tcp://127.0.0.1:${port}` },
    { clock: createFakeClock(1000), resolvePort: async (line) => line, known: undefined },
  );
  t.after(() => driver.close());
  return driver;
}

test('a telegram without values of electricity is no reading', { timeout: 30_000 }, async (t) => {
  const driver = await driverOf(t, (socket) => socket.write(event + telegram + event));
  const harvests: Harvest[] = [];
  await driver.open({ onHarvest: (harvest) => harvests.push(harvest), onFailedFrame() {}, onLost() {} });
  await sleep(700); // the line has been silent, so that the last telegram has ended
  assert.deepEqual(
    harvests.map(({ values }) => values),
    [{ meter: { W: 2021 } }],
  );
  assert.deepEqual(driver.raw()?.obis, ['0-0:96.13.0(303132)', '0-1:24.2.1(101209112500W)(12785.123*m3)']);
});

test('a meter without values of electricity is refused', { timeout: 30_000 }, async (t) => {
  const driver = await driverOf(t, (socket) => socket.end(`${event}\r\n`));
  const opening = driver.open({ onHarvest() {}, onFailedFrame() {}, onLost() {} });
  await assert.rejects(opening, /contain no values of electricity/);
});
