import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { generate, type Packet, parser } from 'mqtt-packet';
import { createLog } from '#lib/log.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { startStopwatch } from '#test/stopwatch.ts';
import { parseBrokerAddress } from './broker-address.ts';
import { openSession } from './session.ts';

/** A broker that takes whoever comes, and never closes a connection. */
async function startStubborn(t: TestContext): Promise<string> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    t.after(() => socket.destroy());
    const answer = (packet: Packet): void => {
      if (packet.cmd === 'connect') socket.write(generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }));
      if (packet.cmd !== 'subscribe') return;
      socket.write(generate({ cmd: 'suback', messageId: packet.messageId!, granted: [1] }));
    };
    const incoming = parser().on('packet', answer);
    socket.on('error', () => {}).on('data', (bytes) => void incoming.parse(bytes));
  });
  t.after(() => server.close());
  return `mqtt://127.0.0.1:${await listenOnLoopback(server)}`;
}

test('a broker that does not let us go is left nevertheless, and who waits for an answer hears so', async (t) => {
  const session = await openSession(
    parseBrokerAddress(await startStubborn(t)),
    {
      serial: 'ohm-0011223344556677',
      brokerToken: async () => 'token',
      will: { topic: 'will', payload: '' },
      subscriptions: ['acks'],
      optionalSubscriptions: [],
      onMessage() {},
      log: createLog({ level: 'silent', name: 'test' }),
    },
    t.signal,
  );
  const answered = new Promise<Error | undefined>((resolve) => session.publish('data', '{}', 1, resolve));
  const stopwatch = startStopwatch();
  await session.end();
  assert.ok(stopwatch.ms() < 5000);
  assert.ok((await answered) instanceof Error);
  await session.ended;
});
