import { RecentMap } from '../recent-map.ts';
import { decodeY, isOnCurve, isSmallOrder } from './ed25519.ts';
import { decodePem, decodings } from './encoding.ts';
import { decodePoint } from './p256.ts';
import { refusal } from './refusal.ts';
import { type EncodedPoint, unwrapSpki } from './spki.ts';

export type PublicKey = {
  algorithm: 'Ed25519' | 'ES256';
  /** 32 bytes for Ed25519, 65 bytes (04||X||Y) for P-256 */
  raw: Buffer;
  /** the one canonical spelling: `raw` in padded base64 */
  text: string;
};

export class KeyError extends Error {
  override name = 'KeyError';
}

const parsed = new RecentMap<PublicKey>(1024);
const longestKept = 256; // characters; any spelling of a key fits

/** Kept, because finding out whether a point is on its curve costs more than a request around it. */
export const parsePublicKey = (text: string): PublicKey =>
  text.length > longestKept ? parse(text) : parsed.getOrMake(text, () => parse(text));

function parse(text: string): PublicKey {
  const pem = decodePem(text, 'PUBLIC KEY');
  const readings = pem ? [pem] : decodings(text);
  // No length of a key in hex is the length of a key in base64, so at most one reading is an encoded point.
  const encoded = readings.map(pem ? unwrapSpki : encodedPoint).find((point) => point !== undefined);
  if (!encoded) throw new KeyError(refusal(text, readings));

  const raw = encoded.algorithm === 'Ed25519' ? checkedEd25519(encoded.point) : checkedP256(encoded.point);
  return { algorithm: encoded.algorithm, raw, text: raw.toString('base64') };
}

/** The coordinates X||Y of a P-256 key, 64 bytes. */
export function p256Xy(key: PublicKey): Buffer {
  if (key.algorithm !== 'ES256') throw new KeyError(`A P-256 key is wanted, and this is an ${key.algorithm} key.`);
  return key.raw.subarray(1);
}

function encodedPoint(bytes: Buffer): EncodedPoint | undefined {
  if (bytes.length === 32) return { algorithm: 'Ed25519', point: bytes };
  if (bytes.length === 33 || bytes.length === 65) return { algorithm: 'ES256', point: bytes };
  if (bytes.length === 64) return { algorithm: 'ES256', point: Buffer.concat([Buffer.of(4), bytes]) };
  return unwrapSpki(bytes);
}

// Node imports any 32 bytes as an Ed25519 key, and OpenSSL verifies forgeries under the points of small order.
function checkedEd25519(point: Buffer): Buffer {
  const y = decodeY(point);
  if (y === undefined) throw new KeyError('The Ed25519 key is not in its canonical encoding.');
  if (!isOnCurve(y)) throw new KeyError('The Ed25519 key is not a point of its curve.');
  if (isSmallOrder(y)) throw new KeyError('The Ed25519 key is a point of small order and proves nothing.');
  return point;
}

function checkedP256(point: Buffer): Buffer {
  const uncompressed = decodePoint(point);
  if (!uncompressed) throw new KeyError('The P-256 key is not a point of its curve.');
  return uncompressed;
}
