import type { Duplex } from 'node:stream';
import { passPackets, startOfPackets } from './packet-length.ts';

type ReadGuard = { packetBytes: number; mayRead(): boolean };

/**
 * Aedes collects a packet of any length, and reads on while earlier packets wait for their answer. Whoever reads the
 * guarded stream finds it empty for as long as it may not read, and at its end once a packet is too long.
 */
export function guardReading(stream: Duplex, { packetBytes, mayRead }: ReadGuard): void {
  const read = stream.read.bind(stream);
  const cursor = startOfPackets();
  stream.read = (size?: number): Buffer | null => {
    if (size === 0) return read(0);
    if (!mayRead()) return null;
    const chunk: Buffer | null = read(size);
    if (!chunk || passPackets(cursor, chunk, packetBytes)) return chunk;
    stream.destroy(new Error(`a packet is longer than ${packetBytes} bytes`));
    return null;
  };
}
