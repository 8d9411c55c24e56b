import { crc16 } from '../crc16.ts';

const flag = Buffer.from([0x7e]);
const llc = Buffer.from([0xe6, 0xe7, 0x00]);

/** CRC-16/X.25, low byte first. */
function check(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc16(bytes, 0x8408, 0xffff) ^ 0xffff);
  return sum;
}

/** One frame; `address` is destination, source and control as the vendor sends them. No bytes are stuffed. */
export function hdlcFrame(address: Buffer, apdu: Buffer): Buffer {
  const information = Buffer.concat([llc, apdu]);
  const length = 2 + address.length + 2 + information.length + 2;
  const format = Buffer.alloc(2);
  format.writeUInt16BE(0xa000 | length);
  const header = Buffer.concat([format, address]);
  const content = Buffer.concat([header, check(header), information]);
  return Buffer.concat([flag, content, check(content), flag]);
}
