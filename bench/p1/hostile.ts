import { ciphered, hdlc, hdlcCrcOf, mbus, withLlc } from '#gateway/p1/testing/frames.ts';

const size = 8192; // the buffer of a decoder

const filled = (pattern: Uint8Array): Buffer => Buffer.alloc(size, pattern);

/** 7E and a valid header of 8 bytes that announces 2046 more; the next 7E is at the right distance. */
function promisingHeader(): Buffer {
  const header = Buffer.of(0xa7, 0xff, 0x03, 0x03, 0x13);
  const check = hdlcCrcOf(header);
  return Buffer.from([0x7e, ...header, check & 0xff, check >> 8]);
}

function ended(text: string): Buffer {
  const bytes = filled(Buffer.from(text));
  bytes.write('\r\n!0000\r\n', size - 9, 'latin1');
  return bytes;
}

/** Every position looks like the start of a frame that fails only at its end. */
export const falseStarts: Record<string, Buffer> = {
  'HDLC headers': filled(promisingHeader()),
  'M-Bus headers': filled(Buffer.from('68666668530016166866', 'hex')),
  'ciphered headers': filled(Buffer.from('db084f484d67000102038207d030000000', 'hex')),
  'telegram headers': ended('/ABC5\r\n\r\n'),
  'telegram headers inside lines': ended('/ABC5x'),
  'exclamation marks': ended('/ABC5!!\n!'),
  flags: filled(Buffer.of(0x7e)),
  'starts of M-Bus': filled(Buffer.of(0x68)),
  slashes: filled(Buffer.of(0x2f)),
};

/** Frames with a valid checksum that cannot be decoded. */
export const unreadableFrames: Record<string, Buffer> = {
  HDLC: filled(hdlc(Buffer.of(0xe6, 0xe7, 0, 1))),
  'M-Bus': filled(mbus(0x10, Buffer.of(1, 2, 3))),
  'of another key': filled(hdlc(withLlc(ciphered(Buffer.alloc(1800), Buffer.alloc(16))))),
};
