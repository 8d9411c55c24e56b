import { createPublicKey, ECDH, hash, type KeyObject } from 'node:crypto';
import { RecentMap } from '../recent-map.ts';
import { isValidKey } from './ed25519.ts';
import { decodePem, decodings } from './encoding.ts';

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
const maxCachedCharacters = 256; // every spelling of a valid key is shorter

/** Parses any spelling of a public key. Results are cached: checking the point costs more than the request around it. */
export const parsePublicKey = (text: string): PublicKey =>
  text.length > maxCachedCharacters ? parse(text) : parsed.getOrCreate(text, () => parse(text));

function parse(text: string): PublicKey {
  const pem = decodePem(text, 'PUBLIC KEY');
  const readings = pem ? [pem] : decodings(text);
  // No length of a key in hex is the length of a key in base64, so at most one reading is an encoded point.
  const encoded = readings.map(pem ? unwrapSpki : encodedPoint).find((point) => point !== undefined);
  if (!encoded) throw new KeyError(refusal(text, readings));

  const raw = encoded.algorithm === 'Ed25519' ? checkEd25519(encoded.point) : uncompressP256(encoded.point);
  return { algorithm: encoded.algorithm, raw, text: raw.toString('base64') };
}

/** Returns the coordinates X||Y of a P-256 key, 64 bytes. */
export function p256Xy(key: PublicKey): Buffer {
  if (key.algorithm !== 'ES256') throw new KeyError(`Expected a P-256 key, got an ${key.algorithm} key.`);
  return key.raw.subarray(1);
}

function encodedPoint(bytes: Buffer): EncodedPoint | undefined {
  if (bytes.length === 32) return { algorithm: 'Ed25519', point: bytes };
  if (bytes.length === 33 || bytes.length === 65) return { algorithm: 'ES256', point: bytes };
  if (bytes.length === 64) return { algorithm: 'ES256', point: Buffer.concat([Buffer.of(4), bytes]) };
  return unwrapSpki(bytes);
}

// Node imports any 32 bytes as an Ed25519 key, and OpenSSL verifies forgeries under the points of small order.
function checkEd25519(point: Buffer): Buffer {
  if (isValidKey(point)) return point;
  throw new KeyError('The Ed25519 key is not a point of its curve in canonical encoding, or has a small order.');
}

/** Returns the uncompressed form (04||X||Y) of a SEC1 point. OpenSSL would also accept the hybrid forms 06 and 07. */
function uncompressP256(point: Buffer): Buffer {
  const [form] = point;
  try {
    if ((form === 4 && point.length === 65) || ((form === 2 || form === 3) && point.length === 33)) {
      const hex = ECDH.convertKey(point, 'prime256v1', undefined, 'hex', 'uncompressed');
      return Buffer.from(hex.toString(), 'hex');
    }
  } catch {
    // not on the curve
  }
  throw new KeyError('The P-256 key is not a point of its curve.');
}

const imported = new RecentMap<KeyObject>(1024);

/** Returns the key as Node verifies with it. Cached, because an import costs up to half a verification. */
export const keyObjectOf = ({ text, raw }: PublicKey): KeyObject =>
  imported.getOrCreate(text, () => createPublicKey({ key: wrapSpki(raw), format: 'der', type: 'spki' }));

// SubjectPublicKeyInfo in DER is a fixed prefix for each of the three forms, followed by the point.
// Comparing whole prefixes leaves no room for explicit curve parameters, other lengths or trailing bytes.
const spkiForms = [
  { algorithm: 'Ed25519', pointLength: 32, prefix: '302a300506032b6570032100' },
  { algorithm: 'ES256', pointLength: 65, prefix: '3059301306072a8648ce3d020106082a8648ce3d030107034200' },
  { algorithm: 'ES256', pointLength: 33, prefix: '3039301306072a8648ce3d020106082a8648ce3d030107032200' },
] as const;

type EncodedPoint = { algorithm: 'Ed25519' | 'ES256'; point: Buffer };

function unwrapSpki(der: Buffer): EncodedPoint | undefined {
  for (const { algorithm, pointLength, prefix } of spkiForms) {
    const point = der.subarray(prefix.length / 2);
    const isForm = point.length === pointLength && der.toString('hex', 0, prefix.length / 2) === prefix;
    if (isForm) return { algorithm, point };
  }
  return undefined;
}

function wrapSpki(point: Buffer): Buffer {
  const form = spkiForms.find(({ pointLength }) => pointLength === point.length);
  if (!form) throw new RangeError(`No public key has ${point.length} bytes.`);
  return Buffer.concat([Buffer.from(form.prefix, 'hex'), point]);
}

const expected = 'expected an Ed25519 or P-256 public key as base64, base64url, hex or PEM';

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

/** Explains why a text is not a public key, without repeating any of the text: it may be a private key. */
function refusal(text: string, readings: Buffer[]): string {
  if (text === '') return `The public key is empty; ${expected}.`;
  return `This is ${kindOf(text, readings)}; ${expected}.`;
}

function kindOf(text: string, readings: Buffer[]): string {
  if (text.trimStart().startsWith('{')) return 'a key in JSON';
  if (text.includes('PRIVATE KEY-----')) return 'a private key';
  if (text.includes('CERTIFICATE-----')) return 'a certificate';
  if (readings.length === 0) return 'not text that can be decoded';
  if (readings.some((bytes) => privateKey.test(bytes.toString('hex', 0, 7)))) return 'a private key';
  const kind = kinds.find(({ marker }) => readings.some((bytes) => bytes.includes(marker)));
  return kind?.name ?? 'not a key of a known kind and length';
}

/** Returns the 16 hex digits with which a serial proves that it belongs to this P-256 key. */
export const serialProof = (key: PublicKey): string => hash('sha256', p256Xy(key), 'hex').slice(0, 16);
