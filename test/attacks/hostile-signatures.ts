/** Signatures as bytes, by what is wrong with them. */
export type HostileSignatures = Record<string, Buffer>;

const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n; // order of P-256
const l = 2n ** 252n + 27742317777372353535851937790883648493n; // order of the base point of Ed25519
const p = 2n ** 255n - 19n; // of the field of Ed25519
const most = 2n ** 256n - 1n;

const be = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const le = (value: bigint): Buffer => be(value).reverse();
const bigint = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
const joined = (...parts: Buffer[]): Buffer => Buffer.concat(parts);

/** For any algorithm: wrong lengths. */
const otherLengths = (good: Buffer): HostileSignatures => ({
  empty: Buffer.alloc(0),
  'a byte less': good.subarray(0, -1),
  'a byte more': joined(good, Buffer.of(0)),
  'a byte before': joined(Buffer.of(0), good),
  'half of it': good.subarray(0, 32),
  twice: joined(good, good),
  'zeros of its length': Buffer.alloc(64),
  'ones of its length': Buffer.alloc(64, 0xff),
  'very long': Buffer.alloc(3000, 1),
});

/** Derived from a good r||s of P-256, with one thing wrong. */
export function hostileP256(good: Buffer): HostileSignatures {
  const [r, s] = [bigint(good.subarray(0, 32)), bigint(good.subarray(32))];
  const pairs: Record<string, [bigint, bigint]> = {
    'r of 0': [0n, s],
    's of 0': [r, 0n],
    'r and s of 0': [0n, 0n],
    'r of n': [n, s],
    's of n': [r, n],
    'r and s of n': [n, n],
    'r of n + 1': [n + 1n, s],
    's of n + 1': [r, n + 1n],
    'r of all ones': [most, s],
    's of all ones': [r, most],
    'r and s of 1': [1n, 1n],
    'r and s of n - 1': [n - 1n, n - 1n],
    'n - r': [n - r, s],
    'r and s in each other’s place': [s, r],
  };
  const beyond: Record<string, [bigint, bigint]> = {
    'r + n': [r + n, s],
    's + n': [r, s + n],
    'r + 2^256': [r + 2n ** 256n, s],
    's + 2^256': [r, s + 2n ** 256n],
    'a negative r': [-r, s],
    'a negative s': [r, -s],
  };
  const der = derOf(r, s);
  return {
    ...otherLengths(good),
    ...mapped(pairs, ([one, other]) => joined(be(one), be(other))),
    ...mapped(prefixed({ ...pairs, ...beyond }), ([one, other]) => derOf(one, other)),
    'DER with a byte after it': joined(der, Buffer.of(0)),
    'DER with its last byte missing': der.subarray(0, -1),
    'DER with a length in long form': joined(Buffer.of(0x30, 0x81), der.subarray(1)),
    'DER with a third number': sequence(integer(r), integer(s), integer(1n)),
    'DER with a spare zero': sequence(spareZero(integer(r)), integer(s)),
    'DER in DER': sequence(der),
    'r and s as lengths of 33': joined(Buffer.of(0), be(r), Buffer.of(0), be(s)),
  };
}

/** Strict DER of the same numbers, a second valid encoding where the sender may choose. */
export const asDer = (good: Buffer): Buffer => derOf(bigint(good.subarray(0, 32)), bigint(good.subarray(32)));

/** Points of order 1, 2, 4 and 8, with the sign of x either way. */
const smallOrder = [
  1n,
  p - 1n,
  0n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
].flatMap((y) => [le(y), le(y + 2n ** 255n)]);

/** Encodings of a y that has a smaller one. */
const nonCanonical = [p, p + 1n, p + 18n].flatMap((y) => [le(y), le(y + 2n ** 255n)]);

/** Derived from a good R||S of Ed25519, with one thing wrong. */
export function hostileEd25519(good: Buffer): HostileSignatures {
  const [R, S] = [good.subarray(0, 32), good.subarray(32)];
  const s = bigint(Buffer.from(S).reverse());
  const flipped = Buffer.from(R);
  flipped[31]! ^= 0x80;
  const points = Object.fromEntries(
    [...smallOrder, ...nonCanonical].flatMap((point) => [
      [`R of ${point.toString('hex')}`, joined(point, S)],
      [`R of ${point.toString('hex')} and S of 0`, joined(point, Buffer.alloc(32))],
    ]),
  );
  return {
    ...otherLengths(good),
    ...points,
    'S of 0': joined(R, le(0n)),
    'S of L': joined(R, le(l)),
    'S + L': joined(R, le(s + l)),
    'S + 2 L': joined(R, le(s + 2n * l)),
    'S + 8 L': joined(R, le(s + 8n * l)),
    'L - S': joined(R, le(l - s)),
    'S of all ones': joined(R, Buffer.alloc(32, 0xff)),
    'R with x turned round': joined(flipped, S),
    'R and S in each other’s place': joined(S, R),
    'a DER of both': sequence(integer(bigint(R)), integer(bigint(S))),
  };
}

/** Invalid public keys, by what is wrong with each; x||y is a valid P-256 point. */
export function hostileKeys(xy: Buffer): Record<string, Buffer> {
  const [x, y] = [xy.subarray(0, 32), xy.subarray(32)];
  const fieldP = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
  const beside = be((bigint(y) + 1n) % fieldP);
  return {
    'P-256 beside the curve': joined(Buffer.of(4), x, beside),
    'P-256 beside the curve, bare': joined(x, beside),
    'P-256 at (0, 0)': joined(Buffer.of(4), Buffer.alloc(64)),
    'P-256 at infinity': Buffer.of(0),
    'P-256 at infinity, in 33 bytes': Buffer.alloc(33),
    'P-256 at infinity, in 65 bytes': Buffer.alloc(65),
    'P-256 with x of p': joined(Buffer.of(4), be(fieldP), y),
    'P-256 with y of p': joined(Buffer.of(4), x, be(fieldP)),
    'P-256 with y + p in 33 bytes': joined(Buffer.of(4), x, Buffer.of(1), be(bigint(y))),
    'P-256 in hybrid form': joined(Buffer.of(6 + (y[31]! & 1)), x, y),
    'P-256 compressed, x of p': joined(Buffer.of(2), be(fieldP)),
    'P-256 of all ones': joined(Buffer.of(4), Buffer.alloc(64, 0xff)),
    'P-256 with a byte more': joined(Buffer.of(4), x, y, Buffer.of(0)),
    'P-256 with a byte less': joined(Buffer.of(4), x, y.subarray(0, -1)),
    nothing: Buffer.alloc(0),
    ...Object.fromEntries(smallOrder.map((point) => [`Ed25519 of small order ${point.toString('hex')}`, point])),
    ...Object.fromEntries(nonCanonical.map((point) => [`Ed25519 spelt otherwise ${point.toString('hex')}`, point])),
    'Ed25519 beside the curve': le(2n),
    'Ed25519 with a byte less': Buffer.alloc(31, 9),
  };
}

const mapped = <T>(table: Record<string, T>, make: (value: T) => Buffer): HostileSignatures =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, make(value)]));

const prefixed = <T>(table: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [`DER of ${name}`, value]));

const derOf = (r: bigint, s: bigint): Buffer => sequence(integer(r), integer(s));

/** Two's complement, in as few bytes as hold it. */
function integer(value: bigint): Buffer {
  let length = 1;
  while (BigInt.asIntN(8 * length, value) !== value) length++;
  const digits = BigInt.asUintN(8 * length, value)
    .toString(16)
    .padStart(2 * length, '0');
  return Buffer.of(2, length, ...Buffer.from(digits, 'hex'));
}

function sequence(...parts: Buffer[]): Buffer {
  const content = joined(...parts);
  return joined(Buffer.of(0x30, content.length), content);
}

const spareZero = ([tag, length, ...content]: Buffer): Buffer => Buffer.of(tag!, length! + 1, 0, ...content);
