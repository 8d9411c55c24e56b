import type { Duplex } from 'node:stream';
import { isBetweenPackets, passPackets, startOfPackets } from './packet-length.ts';
import type { Lane } from './publish-lane.ts';

type ReadGuard = { packetBytes: number; mayRead(): boolean; lane: Lane };

/**
 * Aedes collects a packet of any length, and reads on while earlier packets wait for their answer. Whoever reads the
 * guarded stream finds it empty for as long as it may not read, at its end once a packet is too long, and without what
 * the lane takes. What is returned lets it try again after it was held up.
 */
export function guardReading(stream: Duplex, { packetBytes, mayRead, lane }: ReadGuard): () => void {
  const read = stream.read.bind(stream);
  const cursor = startOfPackets();
  let isHeldUp = false;
  stream.read = (size?: number): Buffer | null => {
    if (size === 0) return read(0);
    isHeldUp = !mayRead();
    if (isHeldUp) return null;
    const chunk: Buffer | null = read(size);
    if (!chunk) return chunk;
    const isAtPacket = isBetweenPackets(cursor);
    if (passPackets(cursor, chunk, packetBytes)) return lane(chunk, isAtPacket);
    stream.destroy(new Error(`A packet is longer than ${packetBytes} bytes.`));
    return null;
  };
  return () => {
    if (isHeldUp && mayRead()) stream.emit('readable');
  };
}
