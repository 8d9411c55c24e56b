const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  return crc;
});

/** The check of Modbus RTU over bytes[at, end). On the wire its low byte comes first. */
export function crc16(bytes: Uint8Array, at: number, end: number): number {
  let crc = 0xffff;
  for (let index = at; index < end; index++) crc = (crc >> 8) ^ table[(crc ^ bytes[index]!) & 0xff]!;
  return crc;
}
