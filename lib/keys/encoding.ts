const maxTextLength = 4096; // the PEM of an RSA key of 4096 bits fits, so an error can name it

/** Decodes a text strictly as hex and as base64 or base64url. A text may have two readings; their lengths differ. */
export function decodings(text: string): Buffer[] {
  if (text.length > maxTextLength) return [];
  return [decodeHex(text), decodeBase64(text)].filter((bytes) => bytes !== undefined);
}

/** Decodes a text that is a single PEM block with this label. */
export function decodePem(text: string, label: string): Buffer | undefined {
  if (text.length > maxTextLength) return undefined;
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  if (lines.shift() !== `-----BEGIN ${label}-----` || lines.pop() !== `-----END ${label}-----`) return undefined;
  if (lines.includes('') || /[-_]/.test(lines.join(''))) return undefined;
  return decodeBase64(lines.join(''));
}

// Node skips what it cannot decode, so a reading counts only if it encodes back to the same text.

function decodeHex(text: string): Buffer | undefined {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  const bytes = Buffer.from(digits, 'hex');
  return bytes.length > 0 && bytes.toString('hex') === digits.toLowerCase() ? bytes : undefined;
}

function decodeBase64(text: string): Buffer | undefined {
  const alphabet = /[-_]/.test(text) ? 'base64url' : 'base64';
  const bytes = Buffer.from(text, alphabet);
  const bare = bytes.toString(alphabet).replaceAll('=', '');
  const padded = bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
  return bytes.length > 0 && (text === bare || text === padded) ? bytes : undefined;
}
