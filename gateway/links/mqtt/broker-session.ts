import type { Logger } from '#lib/log.ts';
import { within } from '#lib/within.ts';
import type { BrokerAddress } from './broker-address.ts';
import { connectOnce } from './broker-client.ts';
import type { BrokerSession } from './broker-connection.ts';

export type BrokerSessionOptions = {
  clientId: string;
  username?: string | undefined;
  password?: string | undefined;
  /** published by the broker when the connection is lost */
  will?: { topic: string; payload: string };
  /** retains the last will and messages with QoS 1 */
  isRetaining?: boolean;
  /** the session fails without these */
  subscriptions?: readonly string[];
  /** the session continues without these */
  optionalSubscriptions?: readonly string[];
  onMessage?(topic: string, payload: Buffer, isRetained: boolean): void;
  /** CA certificate of the broker, PEM; those of the system when not given */
  ca?: string | undefined;
  keepaliveS?: number | undefined;
  maxPacketBytes: number;
  log: Logger;
};

/** Connects to a broker and subscribes. Aborting ends the attempt, not an open session. */
export async function openBrokerSession(
  { url, shown }: BrokerAddress,
  options: BrokerSessionOptions,
  signal: AbortSignal,
): Promise<BrokerSession> {
  const { username, password = '', will, isRetaining = false, ca, keepaliveS, log } = options;
  const { subscriptions = [], optionalSubscriptions = [], onMessage } = options;
  const { client, publish, ended, opened, end } = await connectOnce(
    url,
    {
      clientId: options.clientId,
      ...(username !== undefined && { username, password }),
      ...(will && { will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: isRetaining } }),
      ...(ca !== undefined && { ca }),
      ...(keepaliveS !== undefined && { keepalive: keepaliveS }),
    },
    options.maxPacketBytes,
  );
  client.on('message', (topic, payload, { retain }) => onMessage?.(topic, payload, retain));

  const isRequired = subscriptions.length > 0;
  await opened(isRequired ? () => client.subscribeAsync([...subscriptions], { qos: 1 }) : undefined, signal);
  if (optionalSubscriptions.length > 0) {
    client.subscribe([...optionalSubscriptions], { qos: 1 }, (error) => {
      if (error && client.connected) log.warn({ err: error, broker: shown }, 'broker refused a subscription');
    });
  }

  return {
    publish: (topic, payload, qos, done) => publish(topic, payload, { qos, retain: isRetaining && qos === 1 }, done),
    ended,
    end,
  };
}

const goodbyeMs = 1000;

/** Publishes a last message before a clean disconnect, after which the broker drops the last will. */
export async function sayGoodbye(session: BrokerSession, topic: string, payload: string): Promise<void> {
  const sent = Promise.withResolvers<void>();
  session.publish(topic, payload, 1, () => sent.resolve());
  await within(goodbyeMs, sent.promise);
}

const unansweredMs = 10_000;

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
