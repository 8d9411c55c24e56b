import { randomBytes } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { errorCode } from '#lib/error-code.ts';
import { within } from '#lib/within.ts';
import { hostPort, LinkError } from '../link-error.ts';
import { connectOnce } from './broker-client.ts';

export type MqttMessage = {
  topic: string;
  payload: Uint8Array;
  /** time of receipt, ms */
  at: number;
  /** stored by the broker, so its age is unknown */
  isRetained: boolean;
};

export type MqttLinkOptions = {
  host: string;
  port: number;
  username?: string | undefined;
  password?: string | undefined;
  clientId?: string | undefined;
  topics: readonly string[];
  onMessage(message: MqttMessage): void;
  /** Called once when the link ends, unless it was closed. */
  onLost(error: LinkError): void;
  clock: Clock;
  /** messages above this rate are dropped and counted */
  messagesPerSecond?: number;
};

export type MqttLink = Awaited<ReturnType<typeof openMqttLink>>;

const timeoutMs = 5000;
const maxPacketBytes = 256 * 1024; // far above any expected payload

/** Connects to the broker of a device and subscribes. Throws a LinkError when that fails. It does not reconnect. */
export async function openMqttLink(options: MqttLinkOptions) {
  const { host, port, username, password, topics, onMessage, onLost, clock, messagesPerSecond = 500 } = options;
  const address = hostPort(host, port);
  const clientId = options.clientId ?? `ohmstead-${randomBytes(6).toString('hex')}`;
  const login = { ...(username !== undefined && { username }), ...(password !== undefined && { password }) };
  const settings = { clientId, ...login, keepalive: 15, connectTimeout: timeoutMs };
  const connection = await connectOnce(`mqtt://${address}`, settings, maxPacketBytes);
  const { client } = connection;
  const gate = createRateGate(messagesPerSecond, clock);
  client.on('message', (topic, payload, { retain }) => {
    const at = clock.now();
    if (gate.take(at)) onMessage({ topic, payload, at, isRetained: retain });
  });

  await connection.opened(subscribe).catch((error: unknown) => {
    throw explain(error);
  });
  let isClosed = false;
  void connection.ended.then((reason) => isClosed || onLost(explain(reason)));

  return {
    publish,
    dropped: gate.dropped,
    close(): Promise<void> {
      isClosed = true;
      return client.endAsync(true);
    },
  };

  async function subscribe(): Promise<void> {
    try {
      await inTime(client.subscribeAsync([...topics], { qos: 0 }));
    } catch (cause) {
      if (!client.connected) throw cause;
      throw new LinkError(`The broker at ${address} refuses the subscription.`, { cause });
    }
  }

  /** Resolves when the broker has the message. A failed message is not sent later. */
  async function publish(topic: string, payload: string, { qos = 0 }: { qos?: 0 | 1 } = {}): Promise<void> {
    if (!client.connected) throw new LinkError(`The broker at ${address} is not connected.`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    connection.publish(topic, payload, { qos }, (error) => (error ? reject(error) : resolve()));
    try {
      await inTime(promise);
    } catch (cause) {
      throw new LinkError(`The broker at ${address} did not acknowledge the message.`, { cause });
    }
  }

  function explain(cause: unknown): LinkError {
    if (cause instanceof LinkError) return cause;
    const code = errorCode(cause);
    if (code === 4 || code === 5) return new LinkError(`The broker at ${address} refuses the user name or password.`);
    return new LinkError(`No MQTT broker answers at ${address}.`, { cause });
  }
}

const inTime = (work: Promise<unknown>): Promise<unknown> =>
  within(timeoutMs, work, () => {
    throw new LinkError(`No answer within ${timeoutMs} ms.`);
  });

function createRateGate(perSecond: number, clock: Clock) {
  let since = clock.now();
  let count = 0;
  let dropped = 0;
  return {
    take(now: number): boolean {
      if (Math.abs(now - since) >= 1000) [since, count] = [now, 0];
      if (++count <= perSecond) return true;
      dropped++;
      return false;
    },
    dropped: () => dropped,
  };
}
