import type { Duplex } from 'node:stream';
import { createLevelCheck, protocolLevelRefused } from './protocol.ts';
import type { Lane } from './publish-lane.ts';

type ReadGuard = { packetBytes: number; mayRead(): boolean; lane: Lane };

/**
 * Aedes collects a packet of any length, and reads on while earlier packets wait for their answer. The guarded stream
 * is empty while it may not be read, ends at a packet that is too long or of another protocol level, and lacks the
 * messages that the lane takes. Returns a function that resumes reading after it was held up.
 */
export function guardReading(stream: Duplex, { packetBytes, mayRead, lane }: ReadGuard): () => void {
  const read = stream.read.bind(stream);
  const cursor = startOfPackets();
  const isOtherLevel = createLevelCheck();
  let isHeldUp = false;
  stream.read = (size?: number): Buffer | null => {
    if (size === 0) return read(0);
    isHeldUp = !mayRead();
    if (isHeldUp) return null;
    const chunk: Buffer | null = read(size);
    if (!chunk) return chunk;
    if (isOtherLevel(chunk)) {
      stream.end(protocolLevelRefused, () => stream.destroy());
      return null;
    }
    const isAtPacket = isBetweenPackets(cursor);
    if (passPackets(cursor, chunk, packetBytes)) return lane(chunk, isAtPacket);
    stream.destroy(new Error(`A packet is longer than ${packetBytes} bytes.`));
    return null;
  };
  return () => {
    if (isHeldUp && mayRead()) stream.emit('readable');
  };
}

/** Where a stream of MQTT packets stands between two chunks. */
type PacketCursor = {
  /** bytes of the present packet still to come */
  left: number;
  /** the length read so far, and how many of its digits; -1 before the packet's first byte */
  length: number;
  digits: number;
};

export const startOfPackets = (): PacketCursor => ({ left: 0, length: 0, digits: -1 });

const isBetweenPackets = ({ left, digits }: PacketCursor): boolean => left === 0 && digits < 0;

const mostDigits = 4; // MQTT 3.1.1, 2.2.3

/** Moves over a chunk; false when a packet in it announces more bytes than allowed. */
export function passPackets(cursor: PacketCursor, chunk: Uint8Array, mostBytes: number): boolean {
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
    if (cursor.length > mostBytes || (byte > 0x7f && cursor.digits === mostDigits)) return false;
    if (byte > 0x7f) continue;
    cursor.left = cursor.length;
    cursor.digits = -1;
  }
  return true;
}
