import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { isObject, JsonError, parseJson } from '../json.ts';

/** A compact JWS with Ed25519 (RFC 7515, RFC 8037) of a type of our own, so that it is never taken for another kind of token. */
export type TypedMessage = { kid: string; payload: unknown; isSignedBy(x: string): boolean };

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

export function signTyped(typ: string, payload: object, key: { kid: string; privateKey: KeyObject }): string {
  const text = `${encode({ alg: 'EdDSA', typ, kid: key.kid })}.${encode(payload)}`;
  return `${text}.${sign(null, Buffer.from(text), key.privateKey).toString('base64url')}`;
}

const form = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$/;

/** Reads a message of this type without verifying it; undefined if it is of another type. */
export function readTyped(typ: string, text: string, maxKeys?: number): TypedMessage | undefined {
  if (!form.test(text)) return undefined;
  const [head = '', body = '', signature = ''] = text.split('.');
  try {
    const [header, payload] = [head, body].map((part) => parseJson(Buffer.from(part, 'base64url'), maxKeys));
    if (!isObject(header) || header.alg !== 'EdDSA' || header.typ !== typ || 'crit' in header) return undefined;
    const { kid } = header;
    if (typeof kid !== 'string') return undefined;
    return {
      kid,
      payload,
      isSignedBy(x) {
        const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
        return verify(null, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
      },
    };
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
