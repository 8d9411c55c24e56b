import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { RecentMap } from '../recent-map.ts';
import { decodeY, isOnCurve, isSmallOrder } from './ed25519.ts';
import { decodePem, decodings } from './encoding.ts';
import { decodePoint } from './p256.ts';

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

const imported = new RecentMap<KeyObject>(1024);

/** The key as Node verifies with it, kept because an import costs up to half a verification. */
export const keyObjectOf = ({ text, raw }: PublicKey): KeyObject =>
  imported.getOrMake(text, () => createPublicKey({ key: wrapSpki(raw), format: 'der', type: 'spki' }));

// SubjectPublicKeyInfo in DER is a fixed head for each of the three shapes, followed by the point and nothing else.
// Comparing whole heads leaves no room for explicit curve parameters, other lengths or trailing bytes.
const shapes = [
  { algorithm: 'Ed25519', pointLength: 32, head: '302a300506032b6570032100' },
  { algorithm: 'ES256', pointLength: 65, head: '3059301306072a8648ce3d020106082a8648ce3d030107034200' },
  { algorithm: 'ES256', pointLength: 33, head: '3039301306072a8648ce3d020106082a8648ce3d030107032200' },
] as const;

type EncodedPoint = { algorithm: 'Ed25519' | 'ES256'; point: Buffer };

function unwrapSpki(der: Buffer): EncodedPoint | undefined {
  for (const { algorithm, pointLength, head } of shapes) {
    const point = der.subarray(head.length / 2);
    const isShape = point.length === pointLength && der.toString('hex', 0, head.length / 2) === head;
    if (isShape) return { algorithm, point };
  }
  return undefined;
}

function wrapSpki(point: Buffer): Buffer {
  const shape = shapes.find(({ pointLength }) => pointLength === point.length);
  if (!shape) throw new RangeError(`No public key has ${point.length} bytes.`);
  return Buffer.concat([Buffer.from(shape.head, 'hex'), point]);
}

const wanted = 'an Ed25519 or P-256 public key as base64, base64url, hex or PEM is wanted';

// object identifiers with their DER tag and length
const kinds = [
  { name: 'a certificate', marker: 'a003020102' }, // [0] version 3, at the head of every X.509 v3 certificate
  { name: 'an encrypted private key', marker: '06092a864886f70d0105' },
  { name: 'an RSA key', marker: '06092a864886f70d010101' },
  { name: 'a secp256k1 key', marker: '06052b8104000a' },
  { name: 'a P-384 key', marker: '06052b81040022' },
  { name: 'a P-521 key', marker: '06052b81040023' },
  { name: 'an X25519 key', marker: '06032b656e' },
  { name: 'an X448 key', marker: '06032b656f' },
  { name: 'an Ed448 key', marker: '06032b6571' },
].map(({ name, marker }) => ({ name, marker: Buffer.from(marker, 'hex') }));

// PKCS #8, SEC1 and PKCS #1 private keys are a sequence that begins with the version, 0 or 1.
const privateKey = /^30(?:[0-7].|81..|82....)02010[01]/;

/** Why a text with these readings is no public key, as a sentence that repeats nothing of the text. */
function refusal(text: string, readings: Buffer[]): string {
  if (text === '') return `The public key is empty; ${wanted}.`;
  return `This is ${kindOf(text, readings)}; ${wanted}.`;
}

function kindOf(text: string, readings: Buffer[]): string {
  if (text.trimStart().startsWith('{')) return 'a key in JSON';
  if (text.includes('PRIVATE KEY-----')) return 'a private key';
  if (text.includes('CERTIFICATE-----')) return 'a certificate';
  if (readings.length === 0) return 'not a text that can be decoded';
  if (readings.some((bytes) => privateKey.test(bytes.toString('hex', 0, 7)))) return 'a private key';
  const kind = kinds.find(({ marker }) => readings.some((bytes) => bytes.includes(marker)));
  return kind?.name ?? 'not a key of a known kind and length';
}

/** The 16 hex digits by which a serial proves that it belongs to this P-256 key. */
export const serialProof = (key: PublicKey): string => hash('sha256', p256Xy(key), 'hex').slice(0, 16);
