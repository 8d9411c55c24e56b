import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { suite, test } from 'node:test';
import { Problem } from '../problem.ts';
import { keyFromPair, keyFromPem, makeKey, type SigningKey } from './key.ts';

const text = 'login.challenge åäö';

/** As anybody checks it who has nothing but the public key. */
function isSignedBy({ publicKey }: SigningKey, signature: string): boolean {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
}

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;

suite('a key', () => {
  test('of a PEM file signs as its public key tells', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const key = await keyFromPem(`# my key\n${privateKey.export(pkcs8).toString()}\n`);
    assert.equal(key.publicKey, publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64'));
    assert.ok(isSignedBy(key, await key.sign(text)));
  });

  test('that is made comes with the PEM that brings it back', async () => {
    const { key, pem } = await makeKey();
    assert.ok(isSignedBy(key, await key.sign(text)));
    assert.equal((await keyFromPem(pem)).publicKey, key.publicKey);
    assert.notEqual((await makeKey()).pem, pem);
    const byNode = createPublicKey(pem).export({ type: 'spki', format: 'der' });
    assert.equal(byNode.subarray(-32).toString('base64'), key.publicKey);
  });

  test('that no script can read signs all the same', async () => {
    const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
    assert.ok('privateKey' in pair);
    await assert.rejects(crypto.subtle.exportKey('pkcs8', pair.privateKey));
    const key = await keyFromPair(pair);
    assert.ok(isSignedBy(key, await key.sign(text)));
  });

  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const ed25519 = generateKeyPairSync('ed25519');
  const encrypted = { ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'secret' };
  for (const { what, pem, says } of [
    { what: 'nothing', pem: '', says: /not a private key in PEM/ },
    {
      what: 'a public key',
      pem: ed25519.publicKey.export({ type: 'spki', format: 'pem' }),
      says: /not a private key in PEM/,
    },
    { what: 'an encrypted key', pem: ed25519.privateKey.export(encrypted), says: /not a private key in PEM/ },
    { what: 'a key of another kind', pem: p256.export(pkcs8), says: /not an Ed25519 key/ },
    {
      what: 'half a key',
      pem: String(ed25519.privateKey.export(pkcs8)).replace(/(.{20})\n-----END/, '\n-----END'),
      says: /not an Ed25519 key/,
    },
  ]) {
    test(`is not made of ${what}`, async () => {
      await assert.rejects(keyFromPem(String(pem)), (error: unknown) => {
        assert.ok(error instanceof Problem);
        assert.match(error.message, says);
        return true;
      });
    });
  }
});
