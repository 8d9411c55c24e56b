import { createDecipheriv } from 'node:crypto';
import { readLength } from './dlms.ts';
import { begun, broken, type Candidate, type P1Keys, possible, unreadable } from './frame.ts';

export const generalCiphering = 0xdb;

const titleSize = 8;
const tagSize = 12;
const maxLength = 4096;
const authenticated = 0x10;
const securities = new Set([0x20, 0x21, 0x30, 0x31]);
const luxembourgKey = Buffer.from('00112233445566778899aabbccddeeff', 'hex'); // the same in all its meters

/** Reasons why an encrypted message cannot be read. */
export const keyFaults = {
  missing: 'encrypted, and no key is configured',
  wrong: 'the key is wrong',
  tag: 'the authentication tag is wrong',
} as const;

export type Ciphered = { title: Uint8Array; security: number; counter: Uint8Array; text: Uint8Array; tag?: Uint8Array };

type Plain = { bytes: Buffer; isUnverified: boolean };

/** Matches DB, 08, system title, length, security, frame counter (4), ciphertext, and a tag (12) if authenticated. */
export function matchCiphered(bytes: Uint8Array, at: number, end: number): Candidate<{ ciphered: Ciphered }> {
  const lengthAt = at + 2 + titleSize;
  if (lengthAt + 4 > end) return at + 2 > end || bytes[at + 1] === titleSize ? possible : undefined;
  const length = bytes[at + 1] === titleSize ? readLength(bytes, lengthAt) : undefined;
  if (!length || length.value > maxLength || length.value < 6) return undefined;
  const securityAt = lengthAt + length.size;
  const security = bytes[securityAt];
  if (security === undefined || !securities.has(security)) return undefined;
  const after = securityAt + length.value;
  if (after > end) return begun;

  const textEnd = security & authenticated ? after - tagSize : after;
  if (textEnd <= securityAt + 5) return broken(after - at, 'the length is wrong');
  const ciphered: Ciphered = {
    title: bytes.subarray(at + 2, lengthAt),
    security,
    counter: bytes.subarray(securityAt + 1, securityAt + 5),
    text: bytes.subarray(securityAt + 5, textEnd),
    ...(textEnd < after && { tag: bytes.subarray(textEnd, after) }),
  };
  return { state: 'whole', length: after - at, ciphered };
}

/** Decrypts a message. Without an authentication key, the tag can only be checked with the key that Luxembourg uses. */
export function decipher(ciphered: Ciphered, { decryptionKey, authenticationKey }: P1Keys): Plain {
  if (!decryptionKey) throw unreadable(keyFaults.missing);
  const { tag } = ciphered;
  if (tag) {
    const bytes = decryptAuthenticated({ ...ciphered, tag }, decryptionKey, authenticationKey ?? luxembourgKey);
    if (bytes) return { bytes, isUnverified: false };
    if (authenticationKey) throw unreadable(keyFaults.tag);
  }
  return { bytes: decryptOnly(ciphered, decryptionKey), isUnverified: true };
}

function decryptAuthenticated(
  ciphered: Required<Ciphered>,
  key: Uint8Array,
  authenticationKey: Uint8Array,
): Buffer | undefined {
  const { title, security, counter, text, tag } = ciphered;
  const cipher = createDecipheriv('aes-128-gcm', key, Buffer.concat([title, counter]), { authTagLength: tagSize });
  cipher.setAAD(Buffer.concat([Buffer.of(security), authenticationKey]));
  cipher.setAuthTag(tag);
  const bytes = cipher.update(text);
  try {
    cipher.final();
    return bytes;
  } catch {
    return undefined; // final() only throws if the tag does not match
  }
}

/** Decrypts without authentication: GCM is counter mode, and its first block of text has the number 2. */
function decryptOnly({ title, counter, text }: Ciphered, key: Uint8Array): Buffer {
  return createDecipheriv('aes-128-ctr', key, Buffer.concat([title, counter, Buffer.of(0, 0, 0, 2)])).update(text);
}
