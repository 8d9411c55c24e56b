import type { Logger } from '#lib/log.ts';
import type { BrokerAddress } from '../links/mqtt/broker-address.ts';
import { connectOnce } from '../links/mqtt/broker-client.ts';
import { dropOutgoing } from '../links/mqtt/guard.ts';
import type { Session } from '../links/mqtt/session.ts';

export type SessionOptions = {
  serial: string;
  /** the password of one connect */
  brokerToken(address: BrokerAddress): Promise<string>;
  will: { topic: string; payload: string };
  /** without these the session is of no use */
  subscriptions: readonly string[];
  /** a broker that refuses these is used nevertheless */
  optionalSubscriptions: readonly string[];
  onMessage(topic: string, payload: Buffer, isRetained: boolean): void;
  /** of the authority that signed the broker's certificate, PEM; those of the system when there is none */
  ca?: string | undefined;
  /** the broker is asked as often whether it is there */
  keepaliveS?: number | undefined;
  log: Logger;
};

const mostPacketBytes = 1024 * 1024; // acknowledgements and commands are small

/** Aborting ends the attempt, not the session. */
export async function openSession(
  address: BrokerAddress,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<Session> {
  const { serial, will, subscriptions, optionalSubscriptions, onMessage, ca, keepaliveS, log } = options;
  const { client, ended, opened, end } = await connectOnce(
    address.url,
    {
      clientId: serial,
      username: address.username ?? serial,
      password: address.password ?? (await options.brokerToken(address)),
      will: { ...will, payload: Buffer.from(will.payload), qos: 1, retain: false },
      ...(ca !== undefined && { ca }),
      ...(keepaliveS !== undefined && { keepalive: keepaliveS }),
    },
    mostPacketBytes,
  );
  client.on('message', (topic, payload, { retain }) => onMessage(topic, payload, retain));
  client.once('close', () => dropOutgoing(client));

  await opened(signal, () => client.subscribeAsync([...subscriptions], { qos: 1 }));
  client.subscribe([...optionalSubscriptions], { qos: 1 }, (error) => {
    if (error && client.connected) log.warn({ err: error, broker: address.shown }, 'the broker refused a subscription');
  });

  return {
    publish: (topic, payload, qos, done) => client.publish(topic, payload, { qos }, done && ((error) => done(error))),
    ended,
    end,
  };
}
