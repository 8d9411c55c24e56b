import { createPublicKey, sign } from 'node:crypto';
import { p256Xy, parsePublicKey, serialProof } from '#lib/keys/public-key.ts';
import { openKey } from './key-file.ts';

export type Identity = Awaited<ReturnType<typeof openIdentity>>;

/** Opens the identity of this gateway: the key in its data folder and the serial derived from it. */
export async function openIdentity(dataDir: string, prefix: string) {
  const key = await openKey(dataDir);
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const publicKey = parsePublicKey(spki.toString('base64'));
  const serial = `${prefix}-${serialProof(publicKey)}`;
  return {
    serial,
    /** 128 hex digits, X then Y */
    publicKeyHex: p256Xy(publicKey).toString('hex'),
    /** Returns 128 hex digits, r then s, over SHA-256 of the UTF-8 text. */
    sign: (text: string): string =>
      sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('hex'),
    /** Makes a password for the broker, valid for an hour. */
    async brokerToken(now: number, audience: { aud: string; origin?: string }): Promise<string> {
      const { SignJWT } = await import('jose/jwt/sign'); // so that a start does not wait for it
      const iat = Math.floor(now / 1000);
      return new SignJWT({ sub: serial, iat, exp: iat + 3600, ...audience })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', device: serial })
        .sign(key);
    },
  };
}
