/** Where a stream of MQTT packets stands between two chunks. */
export type PacketCursor = {
  /** bytes of the present packet still to come */
  left: number;
  /** the length read so far, and how many of its digits; -1 before the packet's first byte */
  length: number;
  digits: number;
};

export const startOfPackets = (): PacketCursor => ({ left: 0, length: 0, digits: -1 });

export const isBetweenPackets = ({ left, digits }: PacketCursor): boolean => left === 0 && digits < 0;

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
