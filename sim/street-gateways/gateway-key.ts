import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { parsePublicKey, serialProof } from '#lib/keys/public-key.ts';

export type GatewayKey = ReturnType<typeof readGatewayKey>;

/** PKCS 8, PEM */
export const newGatewayKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** Reads the key of a simulated gateway, from which its serial is derived. */
export function readGatewayKey(pem: string) {
  const key = createPrivateKey(pem);
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const publicKey = parsePublicKey(spki.toString('base64'));
  const serial = `ohm-${serialProof(publicKey)}`;
  return {
    serial,
    publicKey: publicKey.text,
    /** Signs the SHA-256 of a text; hex, r then s. */
    sign: (text: string): string => signature(text, key).toString('hex'),
    /** Returns a password for the broker, valid for one hour. */
    brokerToken(now: number, aud?: string): string {
      const iat = Math.floor(now / 1000);
      const parts = [
        { alg: 'ES256', typ: 'JWT', device: serial },
        { iat, exp: iat + 3600, aud },
      ];
      const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      return `${text}.${signature(text, key).toString('base64url')}`;
    },
  };
}

const signature = (text: string, key: KeyObject): Buffer =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
