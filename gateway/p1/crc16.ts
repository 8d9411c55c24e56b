type Crc16 = (bytes: Uint8Array, from: number, to: number) => number;

/** A reflected CRC of 16 bits, four bytes at a time: `tables[n]` is what a byte does that n more follow. */
function crc16({ polynomial, start, finalXor }: { polynomial: number; start: number; finalXor: number }): Crc16 {
  const table = Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ polynomial : crc >> 1;
    return crc;
  });
  const further = (before: Uint16Array): Uint16Array => before.map((crc) => (crc >> 8) ^ table[crc & 0xff]!);
  const table1 = further(table);
  const table2 = further(table1);
  const table3 = further(table2);
  return (bytes, from, to) => {
    let crc = start;
    let at = from;
    for (; at + 4 <= to; at += 4) {
      crc =
        table3[(crc ^ bytes[at]!) & 0xff]! ^
        table2[(crc >> 8) ^ bytes[at + 1]!]! ^
        table1[bytes[at + 2]!]! ^
        table[bytes[at + 3]!]!;
    }
    for (; at < to; at++) crc = (crc >> 8) ^ table[(crc ^ bytes[at]!) & 0xff]!;
    return crc ^ finalXor;
  };
}

/** Behind the exclamation mark of a telegram. */
export const telegramCrc = crc16({ polynomial: 0xa001, start: 0, finalXor: 0 });

/** HCS and FCS of an HDLC frame. */
export const hdlcCrc = crc16({ polynomial: 0x8408, start: 0xffff, finalXor: 0xffff });
