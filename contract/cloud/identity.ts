import type { Static } from 'typebox';
import { identityTypes, signedIn } from '../access.ts';
import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { Id, KeyText, Name, Nullable, OneOf, SignatureText, Text, Timestamp } from '../text.ts';

const tag = 'Identity';

export const Identity = Type.Object(
  {
    identity_id: Type.String(),
    public_key: Type.String({ description: 'base64; Ed25519 32 bytes, P-256 65 bytes' }),
    type: OneOf(identityTypes),
    name: Nullable(Type.String()),
    created_at: Timestamp,
  },
  { title: 'Identity' },
);
export type Identity = Static<typeof Identity>;

const { name, ...known } = Identity.properties;

/** A public key is no secret, so its name is shown to nobody who only has the key. */
export const KnownIdentity = Type.Object(known, { title: 'KnownIdentity' });
export type KnownIdentity = Static<typeof KnownIdentity>;

export const registerIdentity = route({
  method: 'POST',
  path: '/identity/register',
  tag,
  summary: 'Register a public key',
  description:
    'An Ed25519 key becomes a user unless it says developer; a P-256 key must say gateway, device or integration. ' +
    'Registering the same key again answers 200 with the same identity, without its name.',
  access: 'public',
  body: Type.Object({
    public_key: KeyText,
    type: Type.Optional(OneOf(identityTypes)),
    name: Type.Optional(Name),
  }),
  replies: { 201: Identity, 200: KnownIdentity },
  problems: ['identity_type_reserved', 'conflict', 'unprocessable'],
  budget: 'register',
  creates: true,
});

export const getMe = route({
  method: 'GET',
  path: '/identity/me',
  tag,
  summary: 'Who the caller is',
  access: signedIn,
  replies: { 200: Identity },
});

export const requestChallenge = route({
  method: 'POST',
  path: '/auth/challenge',
  tag,
  summary: 'Ask for a challenge to sign',
  description: 'Sign the UTF-8 bytes of the challenge exactly as received. It is valid for 120 s and for one use.',
  access: 'public',
  body: Type.Object({ public_key: KeyText }),
  replies: { 200: Type.Object({ challenge: Type.String(), expires_at: Timestamp }) },
  readOnly: true,
  budget: 'login',
});

export const verifyChallenge = route({
  method: 'POST',
  path: '/auth/verify',
  tag,
  summary: 'Trade a signed challenge for an access token',
  access: 'public',
  body: Type.Object({ public_key: KeyText, signature: SignatureText, challenge: Text(1024) }),
  replies: {
    200: Type.Object({
      token: Type.String({ description: 'JWT; send it as Authorization: Bearer' }),
      identity_id: Id,
      token_type: OneOf(['Bearer']),
      expires_at: Timestamp,
    }),
  },
  problems: ['challenge_invalid', 'signature_invalid', 'identity_unknown'],
  budget: 'login',
});

export const revokeToken = route({
  method: 'POST',
  path: '/auth/revoke',
  tag,
  summary: 'End the token of this request',
  access: signedIn,
  replies: { 204: null },
});

const Jwk = Type.Object({
  kty: Type.String(),
  crv: Type.String(),
  x: Type.String(),
  kid: Type.String(),
  alg: Type.String(),
  use: Type.String(),
});

export const getJwks = route({
  method: 'GET',
  path: '/.well-known/jwks.json',
  tag,
  summary: 'The keys that access tokens are signed with',
  access: 'public',
  replies: { 200: Type.Object({ keys: Type.Array(Jwk) }) },
  conditional: true,
});

export const identityRoutes = [registerIdentity, getMe, requestChallenge, verifyChallenge, revokeToken, getJwks];
