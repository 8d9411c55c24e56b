import { verify } from 'node:crypto';
import { decodeY, groupOrder as ed25519Order, isSmallOrder } from './ed25519.ts';
import { decodings } from './encoding.ts';
import { bigEndian, littleEndian } from './field.ts';
import { groupOrder as p256Order } from './p256.ts';
import type { PublicKey } from './public-key.ts';
import { keyObjectOf } from './public-key.ts';

/** Whether the signature (base64, base64url or hex) is by this key over this message; a malformed one is not. */
export function verifySignature(key: PublicKey, message: string | Uint8Array, signature: string): boolean {
  // A lone surrogate becomes U+FFFD in UTF-8, so two different strings would share one signature.
  if (typeof message === 'string' && !message.isWellFormed()) return false;
  const bytes = typeof message === 'string' ? Buffer.from(message) : message;
  const verifies = key.algorithm === 'Ed25519' ? verifiesEd25519 : verifiesEs256;
  return decodings(signature).some((reading) => verifies(key, bytes, reading));
}

// A signer reaches an R of small order only with a nonce of zero, which gives its secret away, and S + L would be a
// second spelling of S; refusing both gives one verdict whatever the OpenSSL below accepts.
function verifiesEd25519(key: PublicKey, message: Uint8Array, signature: Buffer): boolean {
  if (signature.length !== 64) return false;
  const r = decodeY(signature.subarray(0, 32));
  if (r === undefined || isSmallOrder(r)) return false;
  if (littleEndian(signature.subarray(32)) >= ed25519Order) return false;
  return verify(null, message, keyObjectOf(key), signature);
}

function verifiesEs256(key: PublicKey, message: Uint8Array, signature: Buffer): boolean {
  // Some 64 bytes are both r||s and DER: then either may be the one that was meant.
  return [signature, decodeEcdsaDer(signature)].some(
    (rs) =>
      rs?.length === 64 &&
      isScalar(rs.subarray(0, 32)) &&
      isScalar(rs.subarray(32)) &&
      verify('sha256', message, { key: keyObjectOf(key), dsaEncoding: 'ieee-p1363' }, rs),
  );
}

function isScalar(bytes: Buffer): boolean {
  const value = bigEndian(bytes);
  return value > 0n && value < p256Order;
}

/** r||s, 64 bytes, from SEQUENCE { INTEGER r, INTEGER s } in strict DER; undefined for anything else. */
function decodeEcdsaDer(der: Buffer): Buffer | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der.length > 72) return undefined;
  const r = readInteger(der.subarray(2));
  if (!r) return undefined;
  const s = readInteger(r.rest);
  if (!s || s.rest.length > 0) return undefined;
  return Buffer.concat([r.value, s.value]);
}

/** The first INTEGER, positive, in its shortest form, as 32 bytes. */
function readInteger(der: Buffer): { value: Buffer; rest: Buffer } | undefined {
  const length = der[1] ?? 0;
  const content = der.subarray(2, 2 + length);
  if (der[0] !== 0x02 || length === 0 || content.length !== length) return undefined;

  const [first, second] = content;
  const isNegative = first! >= 0x80;
  const hasSpareZero = first === 0 && second !== undefined && second < 0x80;
  const digits = first === 0 ? content.subarray(1) : content;
  if (isNegative || hasSpareZero || digits.length > 32) return undefined;
  return { value: Buffer.concat([Buffer.alloc(32 - digits.length), digits]), rest: der.subarray(2 + length) };
}
