import { verify } from 'node:crypto';
import { isValidSignature } from './ed25519.ts';
import { decodings } from './encoding.ts';
import { keyObjectOf, type PublicKey } from './public-key.ts';

/** Returns whether the signature (base64, base64url or hex) is by this key over this message. Never throws. */
export function verifySignature(key: PublicKey, message: string | Uint8Array, signature: string): boolean {
  // A lone surrogate becomes U+FFFD in UTF-8, so two different strings would share one signature.
  if (typeof message === 'string' && !message.isWellFormed()) return false;
  const bytes = typeof message === 'string' ? Buffer.from(message) : message;
  const verifies = key.algorithm === 'Ed25519' ? verifiesEd25519 : verifiesEs256;
  return decodings(signature).some((reading) => verifies(key, bytes, reading));
}

const verifiesEd25519 = (key: PublicKey, message: Uint8Array, signature: Buffer): boolean =>
  signature.length === 64 && isValidSignature(signature) && verify(null, message, keyObjectOf(key), signature);

function verifiesEs256(key: PublicKey, message: Uint8Array, signature: Buffer): boolean {
  // Some signatures of 64 bytes can be read as r||s and as DER; either may be meant.
  return [signature, decodeEcdsaDer(signature)].some(
    (rs) => rs?.length === 64 && verify('sha256', message, { key: keyObjectOf(key), dsaEncoding: 'ieee-p1363' }, rs),
  );
}

/** Decodes SEQUENCE { INTEGER r, INTEGER s } in strict DER into r||s, 64 bytes. */
function decodeEcdsaDer(der: Buffer): Buffer | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der.length > 72) return undefined;
  const r = readInteger(der.subarray(2));
  if (!r) return undefined;
  const s = readInteger(r.rest);
  if (!s || s.rest.length > 0) return undefined;
  return Buffer.concat([r.value, s.value]);
}

/** Reads a positive INTEGER in its shortest form into 32 bytes. */
function readInteger(der: Buffer): { value: Buffer; rest: Buffer } | undefined {
  const length = der[1] ?? 0;
  const content = der.subarray(2, 2 + length);
  if (der[0] !== 0x02 || length === 0 || content.length !== length) return undefined;

  const [first = 0, second] = content;
  const isNegative = first >= 0x80;
  const hasSpareZero = first === 0 && second !== undefined && second < 0x80;
  const digits = first === 0 ? content.subarray(1) : content;
  if (isNegative || hasSpareZero || digits.length > 32) return undefined;
  return { value: Buffer.concat([Buffer.alloc(32 - digits.length), digits]), rest: der.subarray(2 + length) };
}
