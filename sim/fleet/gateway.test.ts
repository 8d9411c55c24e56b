import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#lib/clock.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { until } from '#test/until.ts';
import { newGatewayKey, readGatewayKey } from '../street-gateways/gateway-key.ts';
import { FleetGateway } from './gateway.ts';
import { createLedger } from './ledger.ts';

const letIn = Buffer.from([0x20, 2, 0, 0]);
const acknowledge = (id: number): Buffer => Buffer.from([0x40, 2, 0, id]);

/** A broker that accepts a gateway and then answers as instructed; `said` has the bytes received on each connection. */
async function openBroker(t: TestContext) {
  const sockets: Socket[] = [];
  const said: string[] = [];
  const server = createServer((socket) => {
    const number = sockets.push(socket) - 1;
    said[number] = '';
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => {
      if (said[number] === '') socket.write(letIn);
      said[number] += bytes.toString('latin1');
    });
  });
  const port = await listenOnLoopback(server);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `mqtt://127.0.0.1:${port}`, sockets, said };
}

function openGateway(t: TestContext, mqttUrl: string) {
  const ledger = createLedger();
  const stopwatch = { at: 0, now: () => stopwatch.at };
  const took: number[] = [];
  const options = {
    key: readGatewayKey(newGatewayKey()),
    devices: [{ hardware_id: 'M1', der: 'der-1' }],
    mqttUrl,
    ledger,
    clock: systemClock,
    stopwatch,
    onAcknowledged: (ms: number) => void took.push(ms),
  };
  const gateway = new FleetGateway(options, 1);
  t.after(() => gateway.close());
  gateway.connect();
  return { gateway, ledger, stopwatch, took };
}

const readingsIn = (text: string | undefined): number => text?.split('"make":"Simulated"').slice(1).length ?? 0;

suite('fleet gateway', () => {
  test('acknowledgements may arrive in pieces, and their delay is reported', async (t) => {
    const broker = await openBroker(t);
    const { gateway, ledger, stopwatch, took } = openGateway(t, broker.url);
    gateway.report();
    gateway.report();
    await until(() => readingsIn(broker.said[0]) === 2);
    stopwatch.at = 25;
    for (const byte of Buffer.concat([acknowledge(1), acknowledge(2)])) {
      broker.sockets[0]!.write(Buffer.from([byte]));
      await sleep(2);
    }
    await until(() => gateway.waiting === 0);
    assert.equal(ledger.acknowledged(), 2);
    assert.deepEqual(took, [25, 25]);
  });

  test('unacknowledged readings, and only these, are sent again after a lost connection', async (t) => {
    const broker = await openBroker(t);
    const { gateway, ledger } = openGateway(t, broker.url);
    for (let count = 0; count < 3; count++) gateway.report();
    await until(() => readingsIn(broker.said[0]) === 3);
    broker.sockets[0]!.write(acknowledge(2));
    await until(() => gateway.waiting === 2);
    broker.sockets[0]!.destroy();
    await until(() => readingsIn(broker.said[1]) === 2);
    const times = [...ledger.intended().get('der-1')!];
    assert.deepEqual(
      times.map((at) => broker.said[1]!.includes(`"timestamp":${at}`)),
      [true, false, true],
    );
  });

  test('a connection without an acknowledgement for 30 s is closed', async (t) => {
    const broker = await openBroker(t);
    const { gateway, stopwatch } = openGateway(t, broker.url);
    gateway.report();
    await until(() => readingsIn(broker.said[0]) === 1);
    stopwatch.at = 29_000;
    gateway.checkTimeout();
    assert.ok(gateway.isConnected);
    stopwatch.at = 31_000;
    gateway.checkTimeout();
    await until(() => readingsIn(broker.said[1]) === 1);
  });

  test('at most fifty readings are in flight', async (t) => {
    const broker = await openBroker(t);
    const { gateway } = openGateway(t, broker.url);
    for (let count = 0; count < 60; count++) gateway.report();
    await until(() => readingsIn(broker.said[0]) === 50);
    for (let id = 1; id <= 10; id++) broker.sockets[0]!.write(acknowledge(id));
    await until(() => readingsIn(broker.said[0]) === 60);
    assert.equal(gateway.waiting, 50);
  });
});
