import assert from 'node:assert/strict';
import { ECDH, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { KeyError, p256Xy, parsePublicKey } from './public-key.ts';
import { pemOf } from './testing/arbitrary-key.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const base64 = (bytes: Buffer) => bytes.toString('base64');
const joined = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? hex(part) : part)));

// RFC 8032, section 7.1, test 2
const ed = hex('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
const edHead = '302a300506032b6570032100';
const edSpki = joined(edHead, ed);

// RFC 6979, section A.2.5
const x = hex('60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6');
const y = hex('7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299');
const xy = joined(x, y);
const point = joined('04', xy);
const compressed = joined('03', x);
const p256Head = '301306072a8648ce3d020106082a8648ce3d030107';
const spki = joined(`3059${p256Head}034200`, point);
const compressedSpki = joined(`3039${p256Head}032200`, compressed);

for (const { says, text, raw } of [
  { says: 'Ed25519 as base64', text: base64(ed), raw: ed },
  { says: 'Ed25519 as base64 without padding', text: base64(ed).replace('=', ''), raw: ed },
  { says: 'Ed25519 as base64url', text: ed.toString('base64url'), raw: ed },
  { says: 'Ed25519 as padded base64url', text: `${ed.toString('base64url')}=`, raw: ed },
  { says: 'Ed25519 as hex', text: ed.toString('hex'), raw: ed },
  { says: 'Ed25519 as upper-case hex', text: ed.toString('hex').toUpperCase(), raw: ed },
  { says: 'Ed25519 as hex after 0x', text: `0x${ed.toString('hex')}`, raw: ed },
  { says: 'Ed25519 SPKI as base64', text: base64(edSpki), raw: ed },
  { says: 'Ed25519 SPKI as base64url', text: edSpki.toString('base64url'), raw: ed },
  { says: 'Ed25519 SPKI as hex', text: edSpki.toString('hex'), raw: ed },
  { says: 'Ed25519 as PEM', text: pemOf(edSpki), raw: ed },
  { says: 'Ed25519 as PEM without the last line end', text: pemOf(edSpki).trimEnd(), raw: ed },
  { says: 'P-256 coordinates as base64', text: base64(xy), raw: point },
  { says: 'P-256 coordinates as base64url', text: xy.toString('base64url'), raw: point },
  { says: 'P-256 coordinates as hex', text: xy.toString('hex'), raw: point },
  { says: 'P-256 coordinates as hex after 0x', text: `0x${xy.toString('hex')}`, raw: point },
  { says: 'P-256 point as base64', text: base64(point), raw: point },
  { says: 'P-256 point as hex', text: point.toString('hex'), raw: point },
  { says: 'P-256 compressed point as base64', text: base64(compressed), raw: point },
  { says: 'P-256 compressed point as hex', text: compressed.toString('hex'), raw: point },
  { says: 'P-256 SPKI as base64', text: base64(spki), raw: point },
  { says: 'P-256 SPKI as base64url', text: spki.toString('base64url'), raw: point },
  { says: 'P-256 SPKI as hex', text: spki.toString('hex'), raw: point },
  { says: 'P-256 compressed SPKI as base64', text: base64(compressedSpki), raw: point },
  { says: 'P-256 as PEM', text: pemOf(spki), raw: point },
  { says: 'P-256 as PEM with CRLF', text: pemOf(spki).replaceAll('\n', '\r\n'), raw: point },
  { says: 'P-256 compressed as PEM', text: pemOf(compressedSpki), raw: point },
]) {
  test(`${says} is accepted`, () => {
    const key = parsePublicKey(text);
    assert.deepEqual(key, { algorithm: raw === ed ? 'Ed25519' : 'ES256', raw, text: base64(raw) });
  });
}

const pkcs1 = { format: 'der', type: 'pkcs1' } as const;
const pkcs8 = { format: 'der', type: 'pkcs8' } as const;
const sec1 = { format: 'der', type: 'sec1' } as const;
const spkiDer = { format: 'der', type: 'spki' } as const;
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = ec('prime256v1').privateKey;
const ed25519 = generateKeyPairSync('ed25519').privateKey;
const secp256k1 = ec('secp256k1').publicKey.export(spkiDer);

const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const be = (value: bigint) => hex(value.toString(16).padStart(64, '0'));
const le = (value: bigint) => Buffer.from(be(value).toReversed());
const edPrime = 2n ** 255n - 19n;
// x = 5 is the abscissa of a point, and 5 + p still fits in 32 bytes
const xFive = ECDH.convertKey(joined('02', be(5n)), 'prime256v1', undefined, undefined, 'uncompressed');
const yOfXFive = (xFive as Buffer).subarray(33);
const certificate =
  'MIIBbjCCAROgAwIBAgIUSQvLy37vaiz3ArMO6xsORam5xwkwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBYTAeFw0yNjExMTUwMjAzNTBaFw0z' +
  'NjExMTIwMjAzNTBaMAwxCjAIBgNVBAMMAWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARKiIjsA0Jn2RzGW02EYyDV0TohD8xhoIdH4qcE' +
  'foRsqn6OR3et1jwRLOa41KHoT3xqiITy9XV3ykz4XxZqKB5qo1MwUTAdBgNVHQ4EFgQUAt9Z/9Wh3u4W+xiMaqRphyIsJUcwHwYDVR0jBBgw' +
  'FoAUAt9Z/9Wh3u4W+xiMaqRphyIsJUcwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAulPRF2PFPbKyDEDms3nonHxsdZkx' +
  'ralE+rJmjOrdKf0CIQDcbd6uw9XrPjeGW1WiBQR2NC9ICeoy/vp27CPlySZruA==';

for (const { says, text, because } of [
  { says: 'an empty text', text: '', because: /is empty/ },
  { says: 'a blank text', text: ' ', because: /not text/ },
  { says: 'a text of more than 4096 characters', text: 'A'.repeat(5000), because: /not text/ },
  { says: 'a line break after the key', text: `${base64(ed)}\n`, because: /not text/ },
  { says: 'a mixed alphabet', text: `-/${base64(ed).slice(2)}`, because: /not text/ },
  { says: 'one digit of hex too few', text: ed.toString('hex').slice(1), because: /not text|known kind/ },
  { says: 'one byte too few', text: base64(ed.subarray(1)), because: /known kind and length/ },
  { says: 'a byte after an SPKI', text: base64(joined(edSpki, '00')), because: /known kind and length/ },
  { says: 'a byte after a P-256 SPKI', text: pemOf(joined(spki, '00')), because: /known kind and length/ },
  { says: 'a bare point in a PEM block', text: pemOf(ed), because: /known kind and length/ },
  { says: 'an SPKI in BER long form', text: base64(joined('308159', spki.subarray(2))), because: /known kind/ },
  { says: 'an SPKI with bare coordinates', text: base64(joined(`3058${p256Head}034100`, xy)), because: /known kind/ },
  { says: 'the P-256 point at infinity', text: '00', because: /known kind and length/ },
  { says: 'an SPKI of the point at infinity', text: `3019${p256Head}03020000`, because: /known kind and length/ },
  { says: 'a P-256 point at the origin', text: base64(Buffer.alloc(64)), because: /P-256 key is not a point/ },
  { says: 'a P-256 point beside the curve', text: base64(joined(x, be(1n))), because: /P-256 key is not a point/ },
  { says: 'a P-256 point with x + p', text: base64(joined(be(5n + p), yOfXFive)), because: /P-256 key is not a point/ },
  { says: 'a compressed point with x + p', text: base64(joined('02', be(5n + p))), because: /not a point/ },
  { says: 'a compressed x beside the curve', text: base64(joined('02', be(1n))), because: /not a point/ },
  { says: 'a hybrid point', text: base64(joined('07', xy)), because: /not a point/ },
  {
    says: 'an SPKI of a hybrid point',
    text: base64(joined(`3059${p256Head}034200`, '07', xy)),
    because: /not a point/,
  },
  { says: 'an x marked as an uncompressed point', text: base64(joined('04', x)), because: /not a point/ },
  { says: 'an Ed25519 y beside the curve', text: base64(le(2n)), because: /Ed25519 key is not a point/ },
  { says: 'an SPKI of an Ed25519 y beside the curve', text: base64(joined(edHead, le(2n))), because: /not a point/ },
  { says: 'a secp256k1 SPKI', text: base64(secp256k1), because: /a secp256k1 key/ },
  { says: 'a bare secp256k1 point', text: base64(secp256k1.subarray(-65)), because: /P-256 key is not a point/ },
  { says: 'P-384', text: pemOf(ec('secp384r1').publicKey.export(spkiDer)), because: /a P-384 key/ },
  { says: 'P-521', text: pemOf(ec('secp521r1').publicKey.export(spkiDer)), because: /a P-521 key/ },
  { says: 'RSA', text: pemOf(rsa.publicKey.export(spkiDer)), because: /an RSA key/ },
  { says: 'RSA as PKCS #1', text: base64(rsa.publicKey.export(pkcs1)), because: /known kind/ },
  { says: 'X25519', text: base64(generateKeyPairSync('x25519').publicKey.export(spkiDer)), because: /an X25519 key/ },
  { says: 'X448', text: base64(generateKeyPairSync('x448').publicKey.export(spkiDer)), because: /an X448 key/ },
  { says: 'Ed448', text: base64(generateKeyPairSync('ed448').publicKey.export(spkiDer)), because: /an Ed448 key/ },
  { says: 'an Ed25519 private key', text: base64(ed25519.export(pkcs8)), because: /a private key/ },
  { says: 'an Ed25519 private PEM', text: pemOf(ed25519.export(pkcs8), 'PRIVATE KEY'), because: /a private key/ },
  { says: 'a P-256 private key', text: base64(p256.export(pkcs8)), because: /a private key/ },
  { says: 'a P-256 SEC1 private key', text: base64(p256.export(sec1)), because: /a private key/ },
  { says: 'a P-256 SEC1 private PEM', text: pemOf(p256.export(sec1), 'EC PRIVATE KEY'), because: /a private key/ },
  { says: 'an RSA private key', text: base64(rsa.privateKey.export(pkcs8)), because: /a private key/ },
  { says: 'a private key marked as public', text: pemOf(p256.export(pkcs8)), because: /a private key/ },
  { says: 'a private JWK', text: JSON.stringify(p256.export({ format: 'jwk' })), because: /a key in JSON/ },
  { says: 'a certificate', text: certificate, because: /a certificate/ },
  {
    says: 'a certificate as PEM',
    text: pemOf(Buffer.from(certificate, 'base64'), 'CERTIFICATE'),
    because: /a certificate/,
  },
]) {
  test(`${says} is refused`, () => {
    assert.throws(() => parsePublicKey(text), { name: 'KeyError', message: because });
  });
}

// Every encoding of the eight points of small order; those with y >= p or a sign without an x are non-canonical.
const orderEight = [
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
];
for (const encoding of [...[0n, 1n, edPrime - 1n, edPrime, edPrime + 1n].map(le), ...orderEight.map(hex)]) {
  const negative = Buffer.from(encoding);
  negative[31]! |= 0x80;
  for (const small of [encoding, negative]) {
    test(`the Ed25519 point ${small.toString('hex', 0, 2)}…${small.toString('hex', 31)} of small order is refused`, () => {
      for (const text of [base64(small), small.toString('hex'), pemOf(joined(edHead, small))]) {
        assert.throws(() => parsePublicKey(text), { name: 'KeyError', message: /small order|canonical/ });
      }
    });
  }
}

test('every Ed25519 y of p or more is refused', () => {
  for (let value = edPrime; value < 2n ** 255n; value++) {
    for (const sign of [0n, 2n ** 255n]) assert.throws(() => parsePublicKey(base64(le(value + sign))), KeyError);
  }
});

test('the coordinates of a P-256 key are its last 64 bytes', () => {
  assert.deepEqual(p256Xy(parsePublicKey(base64(compressed))), xy);
});

test('an Ed25519 key has no P-256 coordinates', () => {
  assert.throws(() => p256Xy(parsePublicKey(base64(ed))), KeyError);
});
