import type { Duplex } from 'node:stream';
import type { MqttClient } from 'mqtt';
import { LinkError } from '../link-error.ts';

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
