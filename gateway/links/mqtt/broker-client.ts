import type { Duplex } from 'node:stream';
import type { IClientOptions, MqttClient } from 'mqtt';
import { LinkError } from '../link-error.ts';

const prepareMs = 10_000;
const endMs = 1000;
const keepalive = 30; // s

/** Opens one connection to a broker. It does not reconnect, and ends on a packet above the size limit. */
export async function connectOnce(url: string, options: IClientOptions, maxPacketBytes: number) {
  const { connect } = await import('#lib/mqtt.ts');
  const client = connect(url, {
    keepalive,
    ...options,
    protocolVersion: 4,
    clean: true,
    reschedulePings: false, // otherwise a client that sends all the time never pings
    connectTimeout: 10_000,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
  });

  let fault: Error | undefined;
  const guard = createGuard({
    maxPacketBytes,
    broker: 'The broker',
    onFault: (error) => {
      fault ??= error;
    },
  });
  guard.watch(client.stream);
  guard.follow(client);
  const ended = new Promise<void>((resolve) => client.once('close', () => resolve()));
  const abandon = (): void => void client.stream.destroy();

  return {
    client,
    ended,
    /** Disconnects cleanly, or by closing the socket when the broker does not respond. */
    async end(): Promise<void> {
      dropOutgoing(client); // otherwise `end` waits for them
      const late = setTimeout(abandon, endMs); // the broker does not read, or the network is down
      await client.endAsync(!client.connected);
      clearTimeout(late);
    },
    /** Waits for the connection and for `prepare`. Aborting ends the attempt, not an open connection. */
    async opened(signal: AbortSignal, prepare?: () => Promise<unknown>): Promise<void> {
      let late: NodeJS.Timeout | undefined; // a broker may answer pings but nothing else
      try {
        signal.addEventListener('abort', abandon);
        signal.throwIfAborted();
        const closed = ended.then(() => Promise.reject(fault ?? new Error('The broker closed the connection.')));
        await Promise.race([new Promise((resolve) => client.once('connect', resolve)), closed]);
        if (prepare) {
          late = setTimeout(() => {
            fault ??= new Error('The broker does not answer subscriptions.');
            abandon();
          }, prepareMs);
          await Promise.race([prepare(), closed]);
        }
        closed.catch(() => {});
      } catch (error) {
        await client.endAsync(true);
        throw error;
      } finally {
        clearTimeout(late);
        signal.removeEventListener('abort', abandon);
      }
    },
  };
}

type Guarding = {
  maxPacketBytes: number;
  /** name of the broker at the start of a sentence */
  broker: string;
  /** why the connection is about to end */
  onFault(error: Error): void;
};

/** Ends a connection after an error, and before a packet above the size limit has been read. */
export function createGuard({ maxPacketBytes, broker, onFault }: Guarding) {
  let unread = 0; // bytes since the last complete packet
  return {
    /** Call for each stream of the client. */
    watch(stream: Duplex): void {
      unread = 0;
      stream.on('data', ({ length }: Buffer) => {
        unread += length;
        if (unread <= maxPacketBytes) return;
        onFault(new LinkError(`${broker} sends a packet of more than ${maxPacketBytes} bytes.`));
        stream.destroy();
      });
    },
    follow(client: MqttClient): void {
      client.on('packetreceive', () => {
        unread = 0;
      });
      client.on('error', (error) => {
        onFault(error);
        client.stream.destroy(); // also after bytes that are not MQTT
      });
    },
  };
}

/** Fails all pending publishes; they are not sent again later. */
export function dropOutgoing(client: MqttClient): void {
  for (const id of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(id));
}
