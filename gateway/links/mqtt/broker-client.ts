import type { Duplex } from 'node:stream';
import type { IClientOptions, MqttClient } from 'mqtt';
import { LinkError } from '../link-error.ts';

export type BrokerClient = {
  client: MqttClient;
  ended: Promise<void>;
  /** Waits for the connection, and for what it is of no use without. Aborting ends the attempt, not the connection. */
  opened(signal: AbortSignal, prepare?: () => Promise<unknown>): Promise<void>;
  /** Leaves in order; and without a word when the broker does not let us go. */
  end(): Promise<void>;
};

const connectMs = 10_000;
const prepareMs = 10_000;
const endMs = 1000;
const keepalive = 30; // s

/** One connection to a broker: when it is lost it stays lost, and a packet of any length is not read. */
export async function connectOnce(
  url: string,
  options: IClientOptions,
  mostPacketBytes: number,
): Promise<BrokerClient> {
  const { connect } = await import('#lib/mqtt.ts');
  const client = connect(url, {
    keepalive,
    ...options,
    protocolVersion: 4,
    clean: true,
    reschedulePings: false, // else one who always sends never asks whether anybody hears it
    connectTimeout: connectMs,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
  });

  let fault: Error | undefined;
  const guard = createGuard({
    mostPacketBytes,
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
    async end() {
      dropOutgoing(client); // or it waits for them
      const late = setTimeout(abandon, endMs); // nobody reads what we have sent, or the wire is cut
      await client.endAsync(!client.connected);
      clearTimeout(late);
    },
    async opened(signal, prepare) {
      let late: NodeJS.Timeout | undefined; // a broker may answer pings and nothing else
      try {
        signal.addEventListener('abort', abandon);
        signal.throwIfAborted();
        const closed = ended.then(() => Promise.reject(fault ?? new Error('The broker closed the connection.')));
        await Promise.race([new Promise((resolve) => client.once('connect', resolve)), closed]);
        if (prepare) {
          late = setTimeout(() => {
            fault ??= new Error('The broker does not answer what it is asked.');
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
  mostPacketBytes: number;
  /** the broker, in a sentence */
  broker: string;
  /** why the connection is about to end */
  onFault(error: Error): void;
};

/** Ends a connection after an error, and in the middle of a packet that is too large to be read. */
export function createGuard({ mostPacketBytes, broker, onFault }: Guarding) {
  let unread = 0; // bytes since the last whole packet
  return {
    /** Each stream of the client. */
    watch(stream: Duplex): void {
      unread = 0;
      stream.on('data', ({ length }: Buffer) => {
        unread += length;
        if (unread <= mostPacketBytes) return;
        onFault(new LinkError(`${broker} sends a packet of more than ${mostPacketBytes} bytes.`));
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

/** Tells everybody who waits that no answer will come; nothing is sent again later. */
export function dropOutgoing(client: MqttClient): void {
  for (const id of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(id));
}
