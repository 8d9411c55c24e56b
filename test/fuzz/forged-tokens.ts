import { createHmac, type KeyObject, sign } from 'node:crypto';
import { damage, type Random } from '#gateway/p1/testing/fuzz-damage.ts';

/** A valid token, and what an attacker may know beside it. */
export type Known = { token: string; publicKey: KeyObject; ownKey: KeyObject; otherToken: string };

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString());

const algorithms = ['none', 'None', 'HS256', 'ES256', 'EdDSA', 'Ed25519', 'RS256', '', null, 7];
const kids = ['', '../../etc/passwd', "' or 1=1; --", '\u0000', 'x'.repeat(300), null, {}, ['a']];
const claims: Record<string, unknown[]> = {
  sub: ['idt-00000000-0000-0000-0000-000000000000', '', null, ['a'], 'ohm-fedcba9876543210'],
  exp: [9_999_999_999, '9999999999', null, -1, 1e300],
  iat: [0, null, 'x'],
  aud: ['urn:other', [], null],
  iss: ['urn:other', null],
  jti: ['tok-other', null],
  nbf: [9_999_999_999, 'x'],
  identity_type: ['root'],
  crit: [['exp']],
};

/** Returns something that is not the valid token, though it may look much like it. */
export function forge(known: Known, random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const [header, payload, signature] = known.token.split('.') as [string, string, string];
  const signed = (text: string): string => `${text}.${pick([ownSignature, hmac])(text, known)}`;
  const otherHeader = (): string => {
    const change = pick([
      { alg: pick(algorithms) },
      { kid: pick(kids) },
      { typ: pick(['at+jwt', 'JOSE', '', null]) },
      { crit: ['b64'], b64: false },
      { jwk: known.ownKey.asymmetricKeyType === 'ec' ? {} : { kty: 'OKP', crv: 'Ed25519', x: 'AA' } },
      { jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/x' },
      { device: pick(['ohm-fedcba9876543210', '', null]) },
    ]);
    return encode({ ...decode(header), ...change });
  };
  const otherPayload = (): string => {
    const name = pick(Object.keys(claims));
    return encode({ ...decode(payload), [name]: pick(claims[name]!) });
  };
  const otherSignature = (): string =>
    pick([
      '',
      'AA',
      'A'.repeat(86),
      signature.slice(0, -2),
      `${signature}AA`,
      known.otherToken.split('.')[2]!,
      damage(Buffer.from(signature, 'base64url'), random).subarray(0, 200).toString('base64url'),
    ]);
  return pick([
    () => damage(Buffer.from(known.token), random).toString('latin1'),
    () => `${otherHeader()}.${payload}.${signature}`,
    () => `${header}.${otherPayload()}.${signature}`,
    () => `${header}.${payload}.${otherSignature()}`,
    () => signed(`${otherHeader()}.${payload}`),
    () => signed(`${header}.${otherPayload()}`),
    () => signed(`${header}.${payload}`),
    () => `${otherHeader()}.${otherPayload()}.${otherSignature()}`,
    () => `${header}.${payload}`,
    () => `${known.token}.${payload}`,
    () => `${header}.${known.otherToken.split('.')[1]}.${signature}`,
    () => JSON.stringify({ protected: header, payload, signature }),
    () => `${header}.${payload}.${signature}`.replace('.', pick(['..', ' .', '%2e', ''])),
  ])();
}

const ownSignature = (text: string, { ownKey }: Known): string => {
  const isEc = ownKey.asymmetricKeyType === 'ec';
  return sign(isEc ? 'sha256' : null, Buffer.from(text), { key: ownKey, dsaEncoding: 'ieee-p1363' }).toString(
    'base64url',
  );
};

/** The public key is known; used as the secret of an HMAC it would let everybody sign. */
const hmac = (text: string, { publicKey }: Known): string =>
  createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
    .update(text)
    .digest('base64url');

/** The same signature in another base64 spelling. */
export function isSameToken(token: string, good: string): boolean {
  const [header, payload, signature, ...rest] = token.split('.');
  const [goodHeader, goodPayload, goodSignature] = good.split('.');
  if (header !== goodHeader || payload !== goodPayload || rest.length > 0) return false;
  return Buffer.from(signature ?? '', 'base64url').equals(Buffer.from(goodSignature!, 'base64url'));
}
