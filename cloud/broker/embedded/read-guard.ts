import type { BrokerConnection, PacketCursor } from './connection.ts';
import { isOtherLevel, protocolLevelRefused } from './protocol.ts';
import type { Lane } from './publish-lane.ts';

type ReadGuard = { packetBytes: number; lane: Lane };

/**
 * Wraps the reading of a stream, because aedes buffers packets of any length and keeps reading while earlier ones wait for
 * their acknowledgement. The guarded stream is empty while it may not be read, ends at a packet that is too long or of
 * another protocol level, and lacks the messages that the publish lane takes.
 */
export function guardReading(connection: BrokerConnection, { packetBytes, lane }: ReadGuard): void {
  const { stream } = connection;
  const { read } = stream;
  stream.read = (size?: number): Buffer | null => {
    if (size === 0) return read.call(stream, 0);
    connection.isPaused = !connection.mayRead;
    if (connection.isPaused) return null;
    const chunk: Buffer | null = read.call(stream, size);
    if (!chunk) return chunk;
    if (isOtherLevel(connection, chunk)) {
      stream.end(protocolLevelRefused, () => stream.destroy());
      return null;
    }
    const isAtPacket = isBetweenPackets(connection.cursor);
    if (passPackets(connection.cursor, chunk, packetBytes)) return lane(connection, chunk, isAtPacket);
    stream.destroy(new Error(`A packet is longer than ${packetBytes} bytes.`));
    return null;
  };
}

const isBetweenPackets = ({ left, digits }: PacketCursor): boolean => left === 0 && digits < 0;

const maxLengthBytes = 4; // MQTT 3.1.1, 2.2.3

/** Advances over a chunk. Returns false if a packet is longer than allowed. */
export function passPackets(cursor: PacketCursor, chunk: Uint8Array, maxBytes: number): boolean {
  for (let at = 0; at < chunk.length; ) {
    if (cursor.left > 0) {
      const step = Math.min(cursor.left, chunk.length - at);
      cursor.left -= step;
      at += step;
      continue;
    }
    const byte = chunk[at++]!;
    if (cursor.digits < 0) {
      cursor.digits = 0;
      cursor.length = 0;
      continue;
    }
    cursor.length += (byte & 0x7f) * 128 ** cursor.digits++;
    if (cursor.length > maxBytes || (byte > 0x7f && cursor.digits === maxLengthBytes)) return false;
    if (byte > 0x7f) continue;
    cursor.left = cursor.length;
    cursor.digits = -1;
  }
  return true;
}
