import type { Logger } from '#lib/log.ts';
import type { BrokerAddress } from './broker-address.ts';

/** A connection to a broker, until it ends. */
export type Session = {
  /** `done` hears of the broker's acknowledgement, or that there will be none. */
  publish(topic: string, payload: string, qos: 0 | 1, done?: (error?: Error) => void): void;
  ended: Promise<void>;
  /** Leaves in order, so that the last will is not told. */
  end(): Promise<void>;
};

export type SessionOptions = {
  serial: string;
  /** the password of one connect */
  brokerToken(): Promise<string>;
  will: { topic: string; payload: string };
  /** without these the session is of no use */
  subscriptions: readonly string[];
  /** a broker that refuses these is used nevertheless */
  optionalSubscriptions: readonly string[];
  onMessage(topic: string, payload: Buffer, isRetained: boolean): void;
  /** of the authority that signed the broker's certificate, PEM; those of the system when there is none */
  ca?: string | undefined;
  log: Logger;
};

const connectMs = 10_000;
const keepaliveS = 30;
const mostPacketBytes = 1024 * 1024; // acknowledgements and commands are small

/** Aborting ends the attempt, not the session. */
export async function openSession(
  address: BrokerAddress,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<Session> {
  const { serial, will, subscriptions, optionalSubscriptions, onMessage, ca, log } = options;
  const { default: mqtt } = await import('mqtt');
  const client = mqtt.connect(address.url, {
    clientId: serial,
    username: address.username ?? serial,
    password: address.password ?? (await options.brokerToken()),
    will: { ...will, payload: Buffer.from(will.payload), qos: 1, retain: false },
    protocolVersion: 4,
    clean: true,
    keepalive: keepaliveS,
    reschedulePings: false, // else one who always sends never asks whether anybody hears it
    connectTimeout: connectMs,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    ...(ca !== undefined && { ca }),
  });

  let fault: Error | undefined;
  let unread = 0;
  client.on('error', (error) => {
    fault ??= error;
    client.stream.destroy();
  });
  client.stream.on('data', ({ length }: Buffer) => {
    unread += length;
    if (unread > mostPacketBytes) client.stream.destroy(new Error('The broker sends a packet that is too large.'));
  });
  client.on('packetreceive', () => {
    unread = 0;
  });
  client.on('message', (topic, payload, { retain }) => onMessage(topic, payload, retain));
  const ended = new Promise<void>((resolve) => {
    client.once('close', () => {
      resolve();
      dropOutgoing();
    });
  });

  /** Tells everybody who waits that no answer will come. */
  function dropOutgoing(): void {
    for (const id of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(id));
  }

  async function end(): Promise<void> {
    dropOutgoing();
    await client.endAsync(!client.connected);
  }

  const abandon = (): void => void client.stream.destroy();
  try {
    signal.addEventListener('abort', abandon);
    signal.throwIfAborted();
    const closed = ended.then(() => Promise.reject(fault ?? new Error('The broker closed the connection.')));
    await Promise.race([new Promise((resolve) => client.once('connect', resolve)), closed]);
    await Promise.race([client.subscribeAsync([...subscriptions], { qos: 1 }), closed]);
    closed.catch(() => {});
  } catch (error) {
    await client.endAsync(true);
    throw error;
  } finally {
    signal.removeEventListener('abort', abandon);
  }
  client.subscribe([...optionalSubscriptions], { qos: 1 }, (error) => {
    if (error && client.connected) log.warn({ err: error, broker: address.shown }, 'the broker refused a subscription');
  });

  return {
    publish: (topic, payload, qos, done) => client.publish(topic, payload, { qos }, done && ((error) => done(error))),
    ended,
    end,
  };
}
