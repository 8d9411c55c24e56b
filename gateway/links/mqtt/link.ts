import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Clock } from '#lib/clock.ts';
import { within } from '#lib/within.ts';
import { hostPort, LinkError } from '../link-error.ts';
import { createGuard, dropOutgoing } from './broker-client.ts';

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
  /** Called when the link is up, lost, and up again. */
  onState(connected: boolean, error?: Error): void;
  clock: Clock;
  reconnectMs?: number;
  /** messages above this rate are dropped and counted */
  messagesPerSecond?: number;
};

export type MqttLink = Awaited<ReturnType<typeof openMqttLink>>;

const timeoutMs = 5000;
const maxPacketBytes = 256 * 1024; // far above any expected payload

/** Connects to the broker of a device and subscribes. Throws a LinkError when that fails; once open it reconnects. */
export async function openMqttLink(options: MqttLinkOptions) {
  const { host, port, username, password, topics, onMessage, onState, clock } = options;
  const { reconnectMs = 10_000, messagesPerSecond = 500 } = options;
  const { MqttClient } = await import('#lib/mqtt.ts');
  const address = hostPort(host, port);

  let fault: Error | undefined; // why the connection ends
  const guard = createGuard({
    maxPacketBytes,
    broker: `The broker at ${address}`,
    onFault: (error) => {
      fault = error;
    },
  });

  function openSocket(): Socket {
    const socket = connect({ host, port, noDelay: true });
    guard.watch(socket);
    return socket;
  }

  const client = new MqttClient(openSocket, {
    clientId: options.clientId ?? `ohmstead-${randomBytes(6).toString('hex')}`,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    protocolVersion: 4,
    clean: true,
    keepalive: 15, // s
    connectTimeout: timeoutMs,
    reconnectPeriod: reconnectMs,
    reconnectOnConnackError: true,
    resubscribe: false, // done here, to check the answer
    queueQoSZero: false,
  });
  guard.follow(client);

  const gate = createRateGate(messagesPerSecond, clock);
  client.on('message', (topic, payload, { retain }) => {
    const at = clock.now();
    if (gate.take(at)) onMessage({ topic, payload, at, isRetained: retain });
  });

  await listen();
  return { publish, dropped: gate.dropped, close: (): Promise<void> => client.endAsync(true) };

  /** Waits for the first connection and reports the state of the link from then on. */
  async function listen(): Promise<void> {
    const opened = Promise.withResolvers<void>();
    let isOpen = false;
    let isConnected = false;

    const lose = (): void => {
      dropOutgoing(client);
      const error = explain(address, fault);
      fault = undefined;
      if (!isOpen) opened.reject(error);
      else if (isConnected && !client.disconnecting) onState(false, error);
      isConnected = false;
    };

    client.on('close', lose);
    client.on('connect', () => {
      inTime(client.subscribeAsync([...topics], { qos: 0 })).then(
        () => {
          isConnected = true;
          isOpen = true;
          onState(true);
          opened.resolve();
        },
        (cause: Error) => {
          if (!client.connected) return; // 'close' has reported the loss
          fault = new LinkError(`The broker at ${address} refuses the subscription.`, { cause });
          client.stream.destroy();
        },
      );
    });

    try {
      await opened.promise;
    } catch (error) {
      await client.endAsync(true);
      throw error;
    }
  }

  /** Resolves when the broker has the message. A failed message is not sent later. */
  async function publish(topic: string, payload: string, { qos = 0 }: { qos?: 0 | 1 } = {}): Promise<void> {
    if (!client.connected) throw new LinkError(`The broker at ${address} is not connected.`);
    const sent = client.publishAsync(topic, payload, { qos });
    const id = client.getLastMessageId();
    try {
      await inTime(sent);
    } catch (cause) {
      if (qos === 1) client.removeOutgoingMessage(id);
      throw new LinkError(`The broker at ${address} did not acknowledge the message.`, { cause });
    }
  }
}

const inTime = (work: Promise<unknown>): Promise<unknown> =>
  within(timeoutMs, work, () => {
    throw new LinkError(`No answer within ${timeoutMs} ms.`);
  });

function explain(address: string, cause: Error | undefined): LinkError {
  if (cause instanceof LinkError) return cause;
  const code = cause && 'code' in cause ? cause.code : undefined;
  if (code === 4 || code === 5) return new LinkError(`The broker at ${address} refuses the user name or password.`);
  return new LinkError(`No MQTT broker answers at ${address}.`, { cause });
}

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
