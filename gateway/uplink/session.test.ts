import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { generate, type Packet, parser } from 'mqtt-packet';
import { monotonicClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { startStopwatch } from '#test/stopwatch.ts';
import { parseBrokerAddress } from '../links/mqtt/broker-address.ts';
import { BrokerConnection } from '../links/mqtt/broker-connection.ts';
import { type BrokerSessionOptions, openBrokerSession } from '../links/mqtt/broker-session.ts';

type Stubbornness = { onSubscribe?(): void; isSilent?: boolean };

/** Starts a broker that accepts every client and never closes a connection; a silent one answers CONNECT and pings only. */
async function startStubborn(t: TestContext, { onSubscribe, isSilent }: Stubbornness = {}): Promise<string> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    t.after(() => socket.destroy());
    const answer = (packet: Packet): void => {
      if (packet.cmd === 'connect') socket.write(generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }));
      if (packet.cmd === 'pingreq') socket.write(generate({ cmd: 'pingresp' }));
      if (packet.cmd !== 'subscribe') return;
      onSubscribe?.();
      if (isSilent) return;
      socket.write(generate({ cmd: 'suback', messageId: packet.messageId!, granted: [1] }));
    };
    const incoming = parser().on('packet', answer);
    socket.on('error', () => {}).on('data', (bytes) => void incoming.parse(bytes));
  });
  t.after(() => server.close());
  return `mqtt://127.0.0.1:${await listenOnLoopback(server)}`;
}

const log = createLog({ level: 'silent', name: 'test' });
const options: BrokerSessionOptions = {
  clientId: 'ohm-0011223344556677',
  username: 'ohm-0011223344556677',
  password: 'token',
  will: { topic: 'will', payload: '' },
  subscriptions: ['acks'],
  maxPacketBytes: 1024,
  log,
};

test('a broker that does not close the connection is abandoned and pending publishes fail', async (t) => {
  const session = await openBrokerSession(parseBrokerAddress(await startStubborn(t)), options, t.signal);
  const answered = new Promise<Error | undefined>((resolve) => session.publish('data', '{}', 1, resolve));
  const stopwatch = startStopwatch();
  await session.end();
  assert.ok(stopwatch.ms() < 5000);
  assert.ok((await answered) instanceof Error);
  await session.ended;
});

test('a broker that answers pings but no subscription is abandoned for the fallback', async (t) => {
  const asked = Promise.withResolvers<void>();
  const silent = parseBrokerAddress(await startStubborn(t, { onSubscribe: asked.resolve, isSilent: true }));
  const fallback = parseBrokerAddress(await startStubborn(t));
  const opened = Promise.withResolvers<void>();
  const connection = new BrokerConnection({
    open: (address, signal) => openBrokerSession(address, options, signal),
    mayConnect: () => true,
    opened: () => opened.resolve(),
    ended() {},
    monotonic: monotonicClock,
    log,
  });
  t.after(() => connection.close());
  connection.setBrokers([silent, fallback]);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  connection.start();
  await asked.promise;
  t.mock.timers.tick(9_999);
  assert.equal(connection.broker, undefined);
  t.mock.timers.tick(1);
  t.mock.timers.reset();
  await opened.promise;
  assert.equal(connection.broker, fallback);
});
