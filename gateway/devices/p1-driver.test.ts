import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFakeClock } from '#test/fake-clock.ts';
import { createP1Driver } from './p1-driver.ts';

const telegram = '/ISK5ME382\r\n\r\n1-0:1.7.0(0002.021*kW)\r\n1-0:2.7.0(0000.000*kW)\r\n!\r\n';

test('a clock that is set does not make a meter silent', { timeout: 30_000 }, async (t) => {
  const adapter = createServer((socket) => void socket.on('error', () => {}).write(telegram)).listen(0, '127.0.0.1');
  await once(adapter, 'listening');
  t.after(() => adapter.close());
  const clock = createFakeClock(1000); // a machine without a battery begins in 1970
  const { port } = adapter.address() as AddressInfo;
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
