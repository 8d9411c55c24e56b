const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Reads a recording: raw bytes of a line, or their hex. Restores CR LF in text whose line ends were converted. */
export function readInput(file: Uint8Array): Uint8Array {
  const text = Buffer.from(file).toString('latin1');
  const hex = text.replace(/\s+/g, '');
  if (hex.length > 0 && hex.length % 2 === 0 && /^[0-9A-Fa-f]+$/.test(hex)) return Buffer.from(hex, 'hex');
  const isText = file.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === lineFeed);
  return isText && !file.includes(carriageReturn) ? Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1') : file;
}
