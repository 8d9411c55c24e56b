import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { p256Xy, parsePublicKey, serialProof } from '#lib/keys/public-key.ts';
import { openKey } from './key-file.ts';

export type Identity = {
  serial: string;
  /** 128 hex digits, X then Y */
  publicKeyHex: string;
  /** 128 hex digits, r then s, over SHA-256 of the UTF-8 text */
  sign(text: string): string;
  /** Makes a password for the broker, valid for an hour. */
  brokerToken(now: number, audience: { aud: string; origin?: string }): string;
};

const tokenSeconds = 3600;

/** Opens the identity of this gateway: the key in its data folder and the serial derived from it. */
export async function openIdentity(dataDir: string, prefix: string): Promise<Identity> {
  const key = await openKey(dataDir);
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const publicKey = parsePublicKey(spki.toString('base64'));
  const serial = `${prefix}-${serialProof(publicKey)}`;
  return {
    serial,
    publicKeyHex: p256Xy(publicKey).toString('hex'),
    sign: (text) => signature(text, key).toString('hex'),
    brokerToken: (now, audience) => mintToken(serial, key, Math.floor(now / 1000), audience),
  };
}

const signature = (text: string, key: KeyObject): Buffer =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });

/** Makes a JWT (RFC 7519) with subject, lifetime and audience. */
function mintToken(serial: string, key: KeyObject, iat: number, audience: object): string {
  const parts = [
    { alg: 'ES256', typ: 'JWT', device: serial },
    { sub: serial, iat, exp: iat + tokenSeconds, ...audience },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${signature(text, key).toString('base64url')}`;
}
