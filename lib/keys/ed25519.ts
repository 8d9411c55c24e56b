import { littleEndian, mod, power } from './field.ts';

// -x² + y² = 1 + d·x²·y² over the integers modulo p (RFC 8032, section 5.1)
const p = 2n ** 255n - 19n;
const d = mod(-121665n * power(121666n, p - 2n, p), p);

/** The order of the group that keys and signatures live in, called L in RFC 8032. */
export const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The y coordinate of an encoded point; undefined if it is not below p, so the point has another spelling. */
export function decodeY(point: Uint8Array): bigint | undefined {
  const y = BigInt.asUintN(255, littleEndian(point)); // bit 255 is the sign of x
  return y < p ? y : undefined;
}

export function isOnCurve(y: bigint): boolean {
  const { numerator, denominator } = xSquared(y);
  const product = mod(numerator * denominator, p); // a fraction is a square exactly when this product is one
  // Euler's criterion, product^((p-1)/2) = 1, times product^10: (p-1)/2 + 10 = 2^254 needs squarings only.
  return power(product, 2n ** 254n, p) === power(product, 10n, p);
}

/** Whether eight times the point is the identity. x = 0 has order 1 or 2, y = 0 order 4, x² = -y² order 8. */
export function isSmallOrder(y: bigint): boolean {
  const { numerator, denominator } = xSquared(y);
  return numerator === 0n || y === 0n || mod(numerator + y * y * denominator, p) === 0n;
}

function xSquared(y: bigint) {
  return { numerator: mod(y * y - 1n, p), denominator: mod(d * y * y + 1n, p) };
}
