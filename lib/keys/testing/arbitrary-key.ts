// Random key pairs for the property tests, made from bytes so that a failing one can be repeated.
import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import * as fc from 'fast-check';

export const bytesOf = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes));

export const arbitraryEd25519 = bytesOf(32).map((seed) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  }),
);

export const arbitraryP256 = bytesOf(32)
  .filter((secret) => secret[0]! < 0xff && secret.some((byte) => byte !== 0)) // below the group order, not zero
  .map((secret) => {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(secret);
    const d = secret.toString('base64url');
    const x = pair.getPublicKey().toString('base64url', 1, 33);
    const y = pair.getPublicKey().toString('base64url', 33);
    return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d, x, y }, format: 'jwk' });
  });

export function spkiOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
}

// How the tests spell bytes: every text form that a key or a signature may arrive in.

export function spellingsOf(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  const padded = bytes.toString('base64');
  return [hex, hex.toUpperCase(), `0x${hex}`, padded, padded.replaceAll('=', ''), bytes.toString('base64url')];
}

export function pemOf(der: Buffer, label = 'PUBLIC KEY'): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
