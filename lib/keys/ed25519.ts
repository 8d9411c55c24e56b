import { createRequire } from 'node:module';

type Curve = {
  Point: typeof import('@noble/curves/ed25519.js')['ed25519']['Point'];
  /** y coordinates of the eight points of small order */
  smallOrderYs: Set<bigint>;
};

let curve: Curve | undefined;

/** Loads the library for the first Ed25519 key: it takes 57 ms and 10 MB, and gateways have P-256 keys only. */
function loadCurve(): Curve {
  const noble: typeof import('@noble/curves/ed25519.js') = createRequire(import.meta.url)('@noble/curves/ed25519.js');
  const smallOrderYs = new Set(noble.ED25519_TORSION_SUBGROUP.map((hex) => yOf(Buffer.from(hex, 'hex'))));
  curve = { Point: noble.ed25519.Point, smallOrderYs };
  return curve;
}

/** Returns whether the bytes are a point of the curve in canonical encoding, and not one of small order. */
export function isValidKey(bytes: Uint8Array): boolean {
  const { Point } = curve ?? loadCurve();
  try {
    return !Point.fromBytes(bytes).isSmallOrder();
  } catch {
    return false;
  }
}

/**
 * Returns whether R and S are encoded in their only valid way and R is not of small order. A signer reaches such an R only
 * with a nonce of zero, which reveals its secret. Refusing these makes the verdict independent of the OpenSSL version.
 */
export function isValidSignature(signature: Uint8Array): boolean {
  const { Point, smallOrderYs } = curve ?? loadCurve();
  const y = yOf(signature.subarray(0, 32));
  return y < Point.Fp.ORDER && !smallOrderYs.has(y) && littleEndian(signature.subarray(32)) < Point.Fn.ORDER;
}

/** Returns the y coordinate of an encoded point; bit 255 is the sign of x. */
const yOf = (point: Uint8Array): bigint => BigInt.asUintN(255, littleEndian(point));

export const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
