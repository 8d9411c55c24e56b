import { createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { decodeJwt } from 'jose';
import { ed25519, p256 } from '../cloud/people.ts';

/** A valid token, and the keys of the platform that issued it, which no attacker has. */
export type Origin = { token: string; kid: string; nextKid: string; privateKey: KeyObject };

export const encode = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

const signed = (header: unknown, payload: unknown, key: KeyObject): string => {
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
};

/** Invalid tokens, by what is wrong with each. */
export function forgedTokens(origin: Origin): Record<string, string> {
  return { ...otherHeaders(origin), ...otherClaims(origin), ...otherKeys(origin), ...otherForms(origin) };
}

/** Signed with the platform's own key: even a mistake of ours must not make them valid. */
function otherHeaders({ token, kid, nextKid, privateKey }: Origin): Record<string, string> {
  const payload = decodeJwt(token);
  const headers: Record<string, object> = {
    'no alg': { alg: undefined },
    'the kid of the next key': { kid: nextKid },
    'no kid': { kid: undefined },
    'no typ': { typ: undefined },
    'the typ of an access token of OAuth': { typ: 'at+jwt' },
    'the typ of a logout': { typ: 'logout+jwt' },
    'a critical extension': { crit: ['exp'] },
    'an empty list of critical extensions': { crit: [] },
    'a critical extension that is not there': { crit: ['urn:x'] },
    'an unencoded payload': { crit: ['b64'], b64: false },
  };
  for (const alg of [
    'none',
    'None',
    'NONE',
    '',
    'HS256',
    'RS256',
    'PS256',
    'ES256',
    'Ed448',
    'eddsa',
    null,
    ['EdDSA'],
  ]) {
    headers[`alg ${JSON.stringify(alg)}`] = { alg };
  }
  return mapped(headers, (change) => signed({ alg: 'EdDSA', typ: 'JWT', kid, ...change }, payload, privateKey));
}

function otherClaims({ token, kid, privateKey }: Origin): Record<string, string> {
  const claims = decodeJwt(token);
  const changes: Record<string, object> = {
    'an audience of another': { aud: 'urn:ohmstead:else' },
    'a list of other audiences': { aud: ['a', 'b'] },
    'an empty list of audiences': { aud: [] },
    'another issuer': { iss: 'urn:ohmstead:else' },
    'a list of issuers': { iss: [claims.iss] },
    'an end in the past': { exp: claims.iat! - 1 },
    'an end as text': { exp: String(claims.exp) },
    'an end of null': { exp: null },
    'a life longer than the platform gives': { exp: claims.exp! + 1 },
    'an issue time in the future, to live longer': { iat: claims.iat! + 86_400, exp: claims.exp! + 86_400 },
    'an issue time as text': { iat: String(claims.iat) },
    'an issue time of null': { iat: null },
    'a beginning ahead of it': { nbf: claims.exp! - 1 },
    'a beginning as text': { nbf: 'now' },
    'an unknown subject': { sub: 'idt-missing' },
    'an empty subject': { sub: '' },
  };
  for (const name of ['iss', 'aud', 'sub', 'jti', 'exp', 'iat']) changes[`no ${name}`] = { [name]: undefined };
  const payloads: Record<string, unknown> = { 'a list': [claims], null: 'null', 'no JSON': '{', 'no payload': '' };
  const header = { alg: 'EdDSA', typ: 'JWT', kid };
  return {
    ...mapped(changes, (change) => signed(header, { ...claims, ...change }, privateKey)),
    ...mapped(payloads, (payload) => signed(header, payload, privateKey)),
  };
}

/** Tokens that somebody without our key can make. */
function otherKeys({ token, kid, privateKey }: Origin): Record<string, string> {
  const payload = token.split('.')[1]!;
  const claims = decodeJwt(token);
  const own = ed25519().privateKey;
  const jwk = createPublicKey(own).export({ format: 'jwk' });
  const headers: Record<string, object> = {
    'a foreign key under our kid': {},
    'a foreign key in the header': { jwk },
    'a certificate in the header': { x5c: [encode('x')] },
    'the kid __proto__': { kid: '__proto__' },
    'the kid constructor': { kid: 'constructor' },
    'a kid that is a path': { kid: '../../etc/passwd' },
    'a kid that is SQL': { kid: "' or 1=1 --" },
    'a kid that is a list': { kid: [kid] },
    'a kid that is a number': { kid: 0 },
    'an empty kid': { kid: '' },
    'a nested token': { cty: 'JWT' },
  };
  const ours = createPublicKey(privateKey);
  const secrets: Record<string, string | Buffer> = {
    'HS256 with our public key as PEM': ours.export({ type: 'spki', format: 'pem' }),
    'HS256 with our public key as DER': ours.export({ type: 'spki', format: 'der' }),
    'HS256 with our public key as x': Buffer.from(String(ours.export({ format: 'jwk' }).x), 'base64url'),
    'HS256 with our public key as JWK': JSON.stringify(ours.export({ format: 'jwk' })),
    'HS256 with the kid': kid,
    'HS256 with nothing': '',
  };
  const es256 = `${encode({ alg: 'ES256', typ: 'JWT', kid })}.${payload}`;
  const twice = `{"alg":"none","kid":"${kid}","typ":"JWT","alg":"EdDSA"}`;
  return {
    ...mapped(headers, (change) => signed({ alg: 'EdDSA', typ: 'JWT', kid, ...change }, claims, own)),
    ...mapped(secrets, (secret) => {
      const input = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${payload}`;
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
    }),
    'ES256 with a key of their own': `${es256}.${Buffer.from(p256().sign(es256), 'base64').toString('base64url')}`,
    'alg twice': `${encode(twice)}.${payload}.`,
  };
}

const order = 2n ** 252n + 27742317777372353535851937790883648493n; // of the base point of Ed25519

function otherForms({ token, kid }: Origin): Record<string, string> {
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const bytes = Buffer.from(signature, 'base64url');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
  const raised = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  const flipped = Buffer.from(bytes);
  flipped[0]! ^= 1;
  return {
    'no signature': `${header}.${payload}.`,
    'alg none and no signature': `${encode({ alg: 'none', typ: 'JWT', kid })}.${payload}.`,
    'two parts': `${header}.${payload}`,
    'four parts': `${token}.${signature}`,
    'five parts, as if encrypted': `${token}.AAAA.AAAA`,
    'a dot before': `.${token}`,
    'a flipped bit': `${header}.${payload}.${flipped.toString('base64url')}`,
    'half a signature': `${header}.${payload}.${bytes.subarray(0, 32).toString('base64url')}`,
    'a byte more': `${header}.${payload}.${Buffer.concat([bytes, Buffer.of(0)]).toString('base64url')}`,
    'S + L': `${header}.${payload}.${Buffer.concat([bytes.subarray(0, 32), raised]).toString('base64url')}`,
    'zeros for a signature': `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
    'the payload of another': `${header}.${encode({ ...decodeJwt(token), sub: 'idt-x' })}.${signature}`,
    'a header that is a list': `${encode([])}.${payload}.${signature}`,
    'a header that is not JSON': `${encode('{')}.${payload}.${signature}`,
    'JSON instead': encode({ payload, signatures: [{ protected: header, signature }] }),
    'very long': `${header}.${'A'.repeat(5000)}.${signature}`,
  };
}

const mapped = <T>(table: Record<string, T>, make: (value: T) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([title, value]) => [title, make(value)]));
