import assert from 'node:assert/strict';
import { ECDH } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { amount } from '#test/amount.ts';
import { KeyError, parsePublicKey } from './public-key.ts';
import { arbitraryEd25519, arbitraryP256, bytesOf, pemOf, spellingsOf, spkiOf } from './testing/arbitrary-key.ts';

const compressedHead = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex');

test('every spelling of an Ed25519 key gives the same canonical text', () => {
  fc.assert(
    fc.property(arbitraryEd25519.map(spkiOf), (spki) => {
      const raw = spki.subarray(-32);
      for (const text of [...spellingsOf(raw), ...spellingsOf(spki), pemOf(spki)]) {
        assert.equal(parsePublicKey(text).text, raw.toString('base64'));
      }
    }),
  );
});

test('every spelling of a P-256 key gives the same canonical text', () => {
  fc.assert(
    fc.property(arbitraryP256.map(spkiOf), (spki) => {
      const raw = spki.subarray(-65);
      const compressed = convert(raw, 'compressed');
      const compressedSpki = Buffer.concat([compressedHead, compressed]);
      const forms = [raw, raw.subarray(1), compressed, spki, compressedSpki];
      for (const text of [...forms.flatMap(spellingsOf), pemOf(spki), pemOf(compressedSpki)]) {
        assert.equal(parsePublicKey(text).text, raw.toString('base64'));
      }
    }),
  );
});

test('a compressed P-256 key is accepted exactly when OpenSSL finds its point, and gives that point', () => {
  fc.assert(
    fc.property(bytesOf(32), fc.constantFrom(2, 3), (x, form) => {
      const compressed = Buffer.concat([Buffer.of(form), x]);
      assert.deepEqual(
        outcome(() => parsePublicKey(compressed.toString('base64')).raw),
        outcome(() => convert(compressed, 'uncompressed')),
      );
    }),
  );
});

test('a key that is accepted is accepted again by its canonical text; all else is a KeyError', () => {
  const shaped = fc
    .constantFrom(1, 32, 33, 44, 59, 64, 65, 91)
    .chain(bytesOf)
    .chain((bytes) => fc.constantFrom(...spellingsOf(bytes)));
  const damagedPem = fc
    .tuple(arbitraryP256, fc.nat({ max: 170 }), fc.string({ unit: 'binary', maxLength: 2 }))
    .map(([key, at, text]) => pemOf(spkiOf(key)).slice(0, at) + text + pemOf(spkiOf(key)).slice(at + 1));
  fc.assert(
    fc.property(fc.oneof(shaped, damagedPem, fc.string({ unit: 'binary' })), (text) => {
      try {
        const key = parsePublicKey(text);
        assert.deepEqual(parsePublicKey(key.text), key);
      } catch (error) {
        if (!(error instanceof KeyError)) throw error;
      }
    }),
    { numRuns: amount(2000) },
  );
});

function convert(point: Buffer, form: 'compressed' | 'uncompressed'): Buffer {
  return ECDH.convertKey(point, 'prime256v1', undefined, undefined, form) as Buffer;
}

function outcome(make: () => Buffer): string {
  try {
    return make().toString('hex');
  } catch {
    return 'refused';
  }
}
