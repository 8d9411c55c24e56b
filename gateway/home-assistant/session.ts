import type { Logger } from '#lib/log.ts';
import type { BrokerAddress } from '../uplink/broker-address.ts';
import type { Session } from '../uplink/session.ts';

export type HomeSessionOptions = {
  clientId: string;
  /** what the broker says for us, for as long as we are gone */
  will?: { topic: string; payload: string };
  listen?: { topic: string; heard(text: string): void };
  ca?: string | undefined;
  log: Logger;
};

const connectMs = 10_000;
const keepaliveS = 30;
const endMs = 1000;
const unansweredMs = 10_000;
const mostPacketBytes = 64 * 1024; // we listen for one word

/** A connection to the broker of Home Assistant. What is said with qos 1 is retained. Aborting ends the attempt. */
export async function openHomeSession(
  address: BrokerAddress,
  { clientId, will, listen, ca, log }: HomeSessionOptions,
  signal: AbortSignal,
): Promise<Session> {
  const { url, username, password } = address;
  const { default: mqtt } = await import('mqtt');
  const client = mqtt.connect(url, {
    clientId,
    ...(username !== undefined && { username, password: password ?? '' }),
    ...(will && { will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: true } }),
    ...(ca !== undefined && { ca }),
    protocolVersion: 4,
    clean: true,
    keepalive: keepaliveS,
    reschedulePings: false, // else one who always sends never asks whether anybody hears it
    connectTimeout: connectMs,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
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

  const unanswered = new Set<(error?: Error) => void>();
  const ended = new Promise<void>((resolve) => {
    client.once('close', () => {
      resolve();
      for (const answer of unanswered) answer(new Error('The broker closed the connection.'));
    });
  });

  function publish(topic: string, payload: string, qos: 0 | 1, done?: (error?: Error) => void): void {
    const answer = (error?: Error): void => {
      if (unanswered.delete(answer)) done?.(error);
    };
    unanswered.add(answer);
    client.publish(topic, payload, { qos, retain: qos === 1 }, answer);
  }

  const abandon = (): void => void client.stream.destroy();
  try {
    signal.addEventListener('abort', abandon);
    signal.throwIfAborted();
    const connected = new Promise((resolve) => client.once('connect', resolve));
    const closed = ended.then(() => Promise.reject(fault ?? new Error('The broker closed the connection.')));
    await Promise.race([connected, closed]);
    closed.catch(() => {});
  } catch (error) {
    await client.endAsync(true);
    throw error;
  } finally {
    signal.removeEventListener('abort', abandon);
  }

  if (listen) {
    client.on('message', (_, payload) => listen.heard(payload.toString()));
    client.subscribe(listen.topic, { qos: 0 }, (error) => {
      if (error && client.connected) log.warn({ err: error, topic: listen.topic }, 'the broker refused a subscription');
    });
  }

  return {
    publish,
    ended,
    async end() {
      for (const id of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(id)); // or it waits for them
      const late = setTimeout(abandon, endMs); // when nobody reads what we have sent
      await client.endAsync(!client.connected);
      clearTimeout(late);
    },
  };
}

/** Resolves when the broker has it, qos 1, or when it is on its way, qos 0. A broker that does not take it is left. */
export async function say(session: Session, topic: string, payload: string, qos: 0 | 1): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  session.publish(topic, payload, qos, (error) => (error ? reject(error) : resolve()));
  const late = setTimeout(() => {
    reject(new Error(`The broker did not take a message within ${unansweredMs / 1000} s.`));
    void session.end();
  }, unansweredMs);
  try {
    await promise;
  } finally {
    clearTimeout(late);
  }
}
