import { verify } from 'node:crypto';
import { decodeEcdsaDer } from './ecdsa-der.ts';
import { decodeY, groupOrder as ed25519Order, isSmallOrder } from './ed25519.ts';
import { decodings } from './encoding.ts';
import { bigEndian, littleEndian } from './field.ts';
import { keyObjectOf } from './key-object.ts';
import { groupOrder as p256Order } from './p256.ts';
import type { PublicKey } from './public-key.ts';

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
