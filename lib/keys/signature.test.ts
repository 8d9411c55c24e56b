import assert from 'node:assert/strict';
import { createHash, type KeyObject, sign } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { amount } from '#test/amount.ts';
import { littleEndian } from './ed25519.ts';
import { parsePublicKey } from './public-key.ts';
import { verifySignature } from './signature.ts';
import { arbitraryEd25519, arbitraryP256, bytesOf, spellingsOf, spkiOf } from './testing/arbitrary-key.ts';

const ed25519Order = 2n ** 252n + 27742317777372353535851937790883648493n;
const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const bigEndian = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`);
const base64 = (bytes: Buffer) => bytes.toString('base64');
const be = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const publicKeyOf = (privateKey: KeyObject) => parsePublicKey(base64(spkiOf(privateKey)));
const signRaw = (message: Uint8Array, key: KeyObject) => sign('sha256', message, { key, dsaEncoding: 'ieee-p1363' });
const signDer = (message: Uint8Array, key: KeyObject) => sign('sha256', message, key);
const [someEd25519, otherEd25519] = fc.sample(arbitraryEd25519, 2) as [KeyObject, KeyObject];
const [someP256, otherP256] = fc.sample(arbitraryP256, 2) as [KeyObject, KeyObject];
const message = Buffer.from('a message');
const identity = Buffer.concat([Buffer.of(1), Buffer.alloc(31)]); // the neutral point of Ed25519, y = 1

for (const { says, key, text, signature } of [
  {
    says: 'RFC 8032, section 7.1, test 2 verifies',
    key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    text: 'r',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
      '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    says: 'RFC 6979, section A.2.5, SHA-256 verifies',
    key: '0360fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6',
    text: 'sample',
    signature:
      'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716' +
      'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
  },
]) {
  test(says, () => {
    assert.ok(verifySignature(parsePublicKey(key), text, signature));
    assert.ok(verifySignature(parsePublicKey(key), Buffer.from(text), base64(Buffer.from(signature, 'hex'))));
    assert.ok(!verifySignature(parsePublicKey(key), `${text} `, signature));
  });
}

test('every spelling of an Ed25519 signature verifies', () => {
  fc.assert(
    fc.property(arbitraryEd25519, fc.uint8Array(), (privateKey, anything) => {
      const key = publicKeyOf(privateKey);
      for (const text of spellingsOf(sign(null, anything, privateKey))) assert.ok(verifySignature(key, anything, text));
    }),
  );
});

test('every spelling of an ES256 signature verifies, as r||s and as DER, also with n - s', () => {
  fc.assert(
    fc.property(arbitraryP256, fc.uint8Array(), (privateKey, anything) => {
      const key = publicKeyOf(privateKey);
      const raw = signRaw(anything, privateKey);
      const negated = Buffer.concat([raw.subarray(0, 32), be(p256Order - bigEndian(raw.subarray(32)))]);
      for (const text of [raw, negated, derOf(raw), derOf(negated), signDer(anything, privateKey)].flatMap(
        spellingsOf,
      )) {
        assert.ok(verifySignature(key, anything, text));
      }
    }),
  );
});

test('one flipped bit of the message or the signature does not verify', () => {
  const signed = fc.constantFrom(
    { key: publicKeyOf(someEd25519), signature: sign(null, message, someEd25519) },
    { key: publicKeyOf(someP256), signature: signRaw(message, someP256) },
    { key: publicKeyOf(someP256), signature: signDer(message, someP256) },
  );
  fc.assert(
    fc.property(signed, fc.nat(), ({ key, signature }, bit) => {
      assert.ok(verifySignature(key, message, base64(signature)));
      assert.ok(!verifySignature(key, flip(message, bit), base64(signature)));
      assert.ok(!verifySignature(key, message, base64(flip(signature, bit))));
    }),
    { numRuns: amount(1000) },
  );
});

test('a signature by another key, or by a key of the other algorithm, does not verify', () => {
  const signatures = [someEd25519, otherEd25519].map((key) => sign(null, message, key));
  signatures.push(...[someP256, otherP256].flatMap((key) => [signRaw(message, key), signDer(message, key)]));
  const verdicts = (key: KeyObject) =>
    signatures.map((text) => verifySignature(publicKeyOf(key), message, base64(text)));
  assert.deepEqual(verdicts(someEd25519), [true, false, false, false, false, false]);
  assert.deepEqual(verdicts(otherP256), [false, false, false, false, true, true]);
});

test('a lone surrogate does not verify as the replacement character', () => {
  const signature = base64(sign(null, Buffer.from('\u{fffd}'), someEd25519));
  assert.ok(verifySignature(publicKeyOf(someEd25519), '\u{fffd}', signature));
  assert.ok(!verifySignature(publicKeyOf(someEd25519), '\u{d800}', signature));
});

test('an Ed25519 signature with S + L does not verify', () => {
  const signature = sign(null, message, someEd25519);
  const second = be(littleEndian(signature.subarray(32)) + ed25519Order).toReversed();
  const spoilt = Buffer.concat([signature.subarray(0, 32), second]);
  assert.ok(!verifySignature(publicKeyOf(someEd25519), message, base64(spoilt)));
});

test('an Ed25519 signature with a nonce of zero does not verify, although its equation holds', () => {
  const key = parsePublicKey('ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c');
  const s = 'c76d1f3212ecf8da373e21a5de7bcc9145598fd06a18f0723f121fb05d5b9106';
  assert.ok(!verifySignature(key, message, base64(Buffer.concat([identity, Buffer.from(s, 'hex')]))));
});

test('the identity as Ed25519 key and R, whose equation holds for every message, is refused', () => {
  const forgery = base64(Buffer.concat([identity, Buffer.alloc(32)]));
  const handMade = { algorithm: 'Ed25519', raw: identity, text: base64(identity) } as const;
  assert.throws(() => parsePublicKey(base64(identity)), { name: 'KeyError' });
  fc.assert(fc.property(fc.string(), (anything) => !verifySignature(handMade, anything, forgery)));
});

for (const { says, spoil } of [
  { says: 'a byte after the sequence', spoil: (r: Buffer, s: Buffer) => [...sequence(r, s), 0] },
  { says: 'a byte after s within the sequence', spoil: (r: Buffer, s: Buffer) => sequence(r, s, Buffer.of(0)) },
  { says: 'a third integer', spoil: (r: Buffer, s: Buffer) => sequence(r, s, Buffer.of(2, 1, 1)) },
  {
    says: 'a sequence length in long form',
    spoil: (r: Buffer, s: Buffer) => [0x30, 0x81, ...sequence(r, s).subarray(1)],
  },
  { says: 'an indefinite length', spoil: (r: Buffer, s: Buffer) => [0x30, 0x80, ...r, ...s, 0, 0] },
  {
    says: 'an integer length in long form',
    spoil: (r: Buffer, s: Buffer) => sequence(Buffer.of(2, 0x81, ...r.subarray(1)), s),
  },
  { says: 'a spare zero before r', spoil: (r: Buffer, s: Buffer) => sequence(zeroBefore(r), s) },
  { says: 'a spare zero before s', spoil: (r: Buffer, s: Buffer) => sequence(r, zeroBefore(s)) },
  ...[-1, 1].flatMap((more) => [
    { says: `a sequence length ${more} off`, spoil: (r: Buffer, s: Buffer) => lengthened(sequence(r, s), more) },
    { says: `a length of r ${more} off`, spoil: (r: Buffer, s: Buffer) => sequence(lengthened(r, more), s) },
    { says: `a length of s ${more} off`, spoil: (r: Buffer, s: Buffer) => sequence(r, lengthened(s, more)) },
  ]),
  { says: 'a missing last byte', spoil: (r: Buffer, s: Buffer) => sequence(r, s).subarray(0, -1) },
  { says: 'a negative r', spoil: (_: Buffer, s: Buffer) => sequence(Buffer.of(2, 1, 0x80), s) },
  { says: 'an empty r', spoil: (_: Buffer, s: Buffer) => sequence(Buffer.of(2, 0), s) },
  { says: 'a set instead of a sequence', spoil: (r: Buffer, s: Buffer) => [0x31, ...sequence(r, s).subarray(1)] },
  {
    says: 'a bit string instead of an integer',
    spoil: (r: Buffer, s: Buffer) => sequence(Buffer.of(3, ...r.subarray(1)), s),
  },
]) {
  test(`DER with ${says} does not verify`, () => {
    fc.assert(
      fc.property(bytesOf(8), (anything) => {
        const raw = signRaw(anything, someP256);
        const [r, s] = [integer(raw.subarray(0, 32)), integer(raw.subarray(32))];
        assert.ok(verifySignature(publicKeyOf(someP256), anything, base64(sequence(r, s))));
        assert.ok(!verifySignature(publicKeyOf(someP256), anything, base64(Buffer.from(spoil(r, s)))));
      }),
      { numRuns: 20 },
    );
  });
}

for (const scalar of [0n, p256Order, p256Order + 1n, 2n ** 256n - 1n]) {
  test(`an r or s of 0x${scalar.toString(16)} does not verify`, () => {
    const raw = signRaw(message, someP256);
    for (const spoilt of [
      Buffer.concat([be(scalar), raw.subarray(32)]),
      Buffer.concat([raw.subarray(0, 32), be(scalar)]),
    ]) {
      assert.ok(!verifySignature(publicKeyOf(someP256), message, base64(spoilt)));
      assert.ok(!verifySignature(publicKeyOf(someP256), message, base64(derOf(spoilt))));
    }
  });
}

for (const [says, at] of [
  ['r', 0],
  ['s', 32],
] as const) {
  test(`an ${says} that begins with a zero verifies in 32 bytes and in the shortest DER, and in no other form`, () => {
    const key = publicKeyOf(someP256);
    const [text, raw] = signedUntil((signature) => signature[at] === 0 && signature[at + 1]! < 0x80);
    const [r, s] = [raw.subarray(0, 32), raw.subarray(32)];
    const whole = (digits: Buffer) => Buffer.of(2, 32, ...digits);
    const shortened = at === 0 ? Buffer.concat([r.subarray(1), s]) : Buffer.concat([r, s.subarray(1)]);
    for (const good of [raw, derOf(raw)]) assert.ok(verifySignature(key, text, base64(good)));
    const padded = at === 0 ? sequence(whole(r), integer(s)) : sequence(integer(r), whole(s));
    for (const bad of [shortened, padded]) assert.ok(!verifySignature(key, text, base64(bad)));
  });
}

// With a nonce of zero R is the identity and S is the hash times the secret, so the equation holds for every spelling of R.
for (const [says, y] of [
  ['1', 1n],
  ['1, with the sign of an x', 1n + 2n ** 255n],
  ['p + 1', 2n ** 255n - 18n],
  ['p + 1, with the sign of an x', 2n ** 256n - 18n],
] as const) {
  test(`an Ed25519 signature with a nonce of zero and an R of y = ${says} does not verify`, () => {
    const key = publicKeyOf(someEd25519);
    const seed = Buffer.from(someEd25519.export({ format: 'jwk' }).d!, 'base64url');
    const lower = littleEndian(createHash('sha512').update(seed).digest().subarray(0, 32));
    const secret = (BigInt.asUintN(254, lower) | (2n ** 254n)) & ~7n;
    const R = Buffer.from(be(y).toReversed());
    const hash = littleEndian(createHash('sha512').update(R).update(key.raw).update(message).digest());
    const S = be((hash * secret) % ed25519Order).toReversed();
    assert.ok(!verifySignature(key, message, base64(Buffer.concat([R, S]))));
  });
}

test('no text and no bytes as a signature make it throw or verify', () => {
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 80 }), bytesOf(64)).map((array) => base64(Buffer.from(array)));
  fc.assert(
    fc.property(fc.constantFrom(someEd25519, someP256), fc.oneof(bytes, fc.string({ unit: 'binary' })), (key, text) => {
      assert.equal(verifySignature(publicKeyOf(key), message, text), false);
    }),
    { numRuns: amount(1000) },
  );
});

/** Signs messages until a signature has the wanted form. */
function signedUntil(isWanted: (signature: Buffer) => boolean): [text: string, signature: Buffer] {
  for (let count = 0; ; count++) {
    const signature = signRaw(Buffer.from(`message ${count}`), someP256);
    if (isWanted(signature)) return [`message ${count}`, signature];
  }
}

function flip(bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[(bit >> 3) % bytes.length]! ^= 1 << (bit & 7);
  return flipped;
}

function integer(digits: Buffer): Buffer {
  const shortest = digits.subarray(digits.findIndex((digit, at) => digit !== 0 || at === 31));
  const content = shortest[0]! >= 0x80 ? Buffer.of(0, ...shortest) : shortest;
  return Buffer.of(2, content.length, ...content);
}

function lengthened([tag, length, ...content]: Buffer, more: number): Buffer {
  return Buffer.of(tag!, length! + more, ...content);
}

function zeroBefore([tag, length, ...content]: Buffer): Buffer {
  return Buffer.of(tag!, length! + 1, 0, ...content);
}

function sequence(...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.of(0x30, content.length, ...content);
}

function derOf(raw: Buffer): Buffer {
  return sequence(integer(raw.subarray(0, 32)), integer(raw.subarray(32)));
}
