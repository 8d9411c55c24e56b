/** Makes a reflected 16-bit CRC of bytes[from, to), with a table of 256 entries. */
export function createCrc16({ polynomial, start, finalXor }: { polynomial: number; start: number; finalXor: number }) {
  const table = Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ polynomial : crc >> 1;
    return crc;
  });
  return (bytes: Uint8Array, from: number, to: number): number => {
    let crc = start;
    for (let at = from; at < to; at++) crc = (crc >> 8) ^ table[(crc ^ bytes[at]!) & 0xff]!;
    return crc ^ finalXor;
  };
}
