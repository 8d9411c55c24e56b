import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { parsePublicKey, serialProof } from '#lib/keys/public-key.ts';

/** The key of a simulated gateway, from which its serial is derived. */
export type GatewayKey = {
  serial: string;
  /** base64 */
  publicKey: string;
  /** hex, r then s, over SHA-256 of the text */
  sign(text: string): string;
  /** Returns a password for the broker, valid for one hour. */
  brokerToken(now: number, audience?: string): string;
};

const tokenSeconds = 3600;

/** PKCS 8, PEM */
export const newGatewayKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

export function readGatewayKey(pem: string): GatewayKey {
  const key = createPrivateKey(pem);
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const publicKey = parsePublicKey(spki.toString('base64'));
  const serial = `ohm-${serialProof(publicKey)}`;
  return {
    serial,
    publicKey: publicKey.text,
    sign: (text) => signature(text, key).toString('hex'),
    brokerToken(now, aud) {
      const iat = Math.floor(now / 1000);
      const parts = [
        { alg: 'ES256', typ: 'JWT', device: serial },
        { iat, exp: iat + tokenSeconds, aud },
      ];
      const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      return `${text}.${signature(text, key).toString('base64url')}`;
    },
  };
}

const signature = (text: string, key: KeyObject): Buffer =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
