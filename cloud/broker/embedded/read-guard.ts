import type { Duplex } from 'node:stream';
import { isBetweenPackets, passPackets, startOfPackets } from './packet-length.ts';
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
