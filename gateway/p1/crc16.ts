/** Computes a reflected 16-bit CRC with a table of 256 entries. */
function crc16({ polynomial, start, finalXor }: { polynomial: number; start: number; finalXor: number }) {
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

/** The CRC after the exclamation mark of a telegram. */
export const telegramCrc = crc16({ polynomial: 0xa001, start: 0, finalXor: 0 });

/** HCS and FCS of an HDLC frame. */
export const hdlcCrc = crc16({ polynomial: 0x8408, start: 0xffff, finalXor: 0xffff });
