import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What is kept of an answer: only whoever has the key that it was asked with can read it, or tell whose it is. */
export type Seal = {
  /** under which it is kept */
  name: string;
  close(text: string): string;
  open(sealed: string): string;
};

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Both what it is called and what it is sealed with come from the key, and neither tells the other. */
export function sealOf(key: string, caller: string): Seal {
  const derived = Buffer.from(hkdfSync('sha256', key, caller, 'idempotency', 64));
  const [name, secret] = [derived.subarray(0, 32), derived.subarray(32)];
  return {
    name: name.toString('base64url'),

    close(text) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, secret, iv, { authTagLength: tagBytes });
      const hidden = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return Buffer.concat([iv, sealing.getAuthTag(), hidden]).toString('base64url');
    },

    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const opening = createDecipheriv(cipher, secret, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([opening.update(bytes.subarray(ivBytes + tagBytes)), opening.final()]).toString('utf8');
    },
  };
}
