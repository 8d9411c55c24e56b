import type { Logger } from '#lib/log.ts';
import { within } from '#lib/within.ts';
import type { BrokerAddress } from '../links/mqtt/broker-address.ts';
import { connectOnce } from '../links/mqtt/broker-client.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';

export type HomeSessionOptions = {
  clientId: string;
  /** last will, published by the broker when the connection is lost */
  will?: { topic: string; payload: string };
  listen?: { topic: string; onMessage(text: string): void };
  ca?: string | undefined;
  log: Logger;
};

const unansweredMs = 10_000;
const maxPacketBytes = 64 * 1024; // we listen for one word

/** Connects to the broker of Home Assistant. Messages with QoS 1 are retained. The signal aborts connecting. */
export async function openHomeSession(
  address: BrokerAddress,
  { clientId, will, listen, ca, log }: HomeSessionOptions,
  signal: AbortSignal,
): Promise<BrokerSession> {
  const { url, username, password } = address;
  const { client, ended, opened, end } = await connectOnce(
    url,
    {
      clientId,
      ...(username !== undefined && { username, password: password ?? '' }),
      ...(will && { will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: true } }),
      ...(ca !== undefined && { ca }),
    },
    maxPacketBytes,
  );

  const unanswered = new Set<(error?: Error) => void>();
  client.once('close', () => {
    for (const answer of unanswered) answer(new Error('The broker closed the connection.'));
  });

  function publish(topic: string, payload: string, qos: 0 | 1, done?: (error?: Error) => void): void {
    const answer = (error?: Error): void => {
      if (unanswered.delete(answer)) done?.(error);
    };
    unanswered.add(answer);
    client.publish(topic, payload, { qos, retain: qos === 1 }, answer);
  }

  await opened(signal);
  if (listen) {
    client.on('message', (_, payload) => listen.onMessage(payload.toString()));
    client.subscribe(listen.topic, { qos: 0 }, (error) => {
      if (error && client.connected) log.warn({ err: error, topic: listen.topic }, 'the broker refused a subscription');
    });
  }

  return { publish, ended, end };
}

/** Publishes a message: resolves when acknowledged (QoS 1) or sent (QoS 0), and disconnects after a timeout. */
export async function publishAndWait(
  session: BrokerSession,
  topic: string,
  payload: string,
  qos: 0 | 1,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  session.publish(topic, payload, qos, (error) => (error ? reject(error) : resolve()));
  await within(unansweredMs, promise, () => {
    void session.end();
    throw new Error(`The broker did not take a message within ${unansweredMs / 1000} s.`);
  });
}
