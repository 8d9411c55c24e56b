/** Computes a CRC-16 with the reflected polynomial `poly`: 0xA001 for Modbus and DSMR, 0x8408 for HDLC. */
export function crc16(bytes: Uint8Array, poly: number, start: number): number {
  let crc = start;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ poly : crc >>> 1;
  }
  return crc;
}
