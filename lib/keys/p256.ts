import { bigEndian, mod, power } from './field.ts';

// y² = x³ - 3x + b over the integers modulo p (FIPS 186, curve P-256)
const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

export const groupOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The uncompressed form (04||X||Y) of a SEC1 point; undefined if the bytes are not a point of the curve. */
export function decodePoint(bytes: Buffer): Buffer | undefined {
  const [form] = bytes;
  if (form === 4 && bytes.length === 65) return isOnCurve(bytes) ? bytes : undefined;
  if ((form === 2 || form === 3) && bytes.length === 33) return decompress(bytes);
  return undefined;
}

function isOnCurve(point: Buffer): boolean {
  const x = bigEndian(point.subarray(1, 33));
  const y = bigEndian(point.subarray(33));
  return x < p && y < p && mod(y * y, p) === ySquared(x);
}

function decompress(point: Buffer): Buffer | undefined {
  const x = bigEndian(point.subarray(1));
  if (x >= p) return undefined;
  const root = power(ySquared(x), (p + 1n) / 4n, p); // p = 3 mod 4
  if (mod(root * root, p) !== ySquared(x)) return undefined;
  const y = (root & 1n) === BigInt(point[0]! & 1) ? root : p - root; // the curve has no point with y = 0
  const hex = y.toString(16).padStart(64, '0');
  return Buffer.concat([Buffer.of(4), point.subarray(1), Buffer.from(hex, 'hex')]);
}

function ySquared(x: bigint): bigint {
  return mod(x ** 3n - 3n * x + b, p);
}
