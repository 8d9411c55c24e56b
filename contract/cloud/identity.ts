import { identityTypes, signedIn } from '../access.ts';
import { routesOf } from '../route.ts';
import {
  Id,
  KeyText,
  Name,
  Nullable,
  OneOf,
  pagesOf,
  SignatureText,
  type Static,
  Text,
  Timestamp,
  Titled,
  Type,
  texts,
} from '../schema.ts';

const api = routesOf({ tag: 'Identity', access: 'public' });
const own = routesOf({ tag: 'Identity', access: signedIn }, api.all);

export const Identity = Titled('Identity', {
  identity_id: Type.String(),
  public_key: Type.String({ description: 'base64; Ed25519 32 bytes, P-256 65 bytes' }),
  type: OneOf(identityTypes),
  name: Nullable(Type.String()),
  created_at: Timestamp,
});
export type Identity = Static<typeof Identity>;

const { name, ...known } = Identity.properties;

/** An identity without its name: public keys are not secret, so having the key does not reveal the name. */
export const KnownIdentity = Titled('KnownIdentity', known);
export type KnownIdentity = Static<typeof KnownIdentity>;

export const registerIdentity = api.post('/identity/register', 'Register a public key', {
  description:
    'An Ed25519 key becomes a user unless type is developer; for a P-256 key type must be gateway, device or integration. ' +
    'Registering a known key returns 200 with its identity, without the name.',
  body: Type.Object({
    public_key: KeyText,
    type: Type.Optional(OneOf(identityTypes)),
    name: Type.Optional(Nullable(Name)),
  }),
  replies: { 201: Identity, 200: KnownIdentity },
  problems: ['identity_type_reserved', 'conflict', 'unprocessable'],
  budget: 'register',
  creates: true,
});

export const getMe = own.get('/identity/me', 'Get the identity of the caller', {
  replies: { 200: Identity },
  conditional: true,
});

export const updateMe = own.put('/identity/me', 'Change the name of the caller', {
  description: 'Members of your organizations and applications that you connect see the name.',
  resource: getMe,
  body: Type.Object({ name: Nullable(Name) }),
  replies: { 200: Identity },
});

export const SignIn = Titled('SignIn', {
  id: Type.String(),
  description: Type.String({ description: 'the program, such as Chrome on Linux, as it named itself' }),
  created_at: Timestamp,
  used_at: Timestamp,
  expires_at: Timestamp,
  is_current: Type.Boolean({ description: 'whether this request uses it' }),
});
export type SignIn = Static<typeof SignIn>;

export const listSignIns = own.get('/identity/sign-ins', 'List the sign-ins of the caller, newest first', {
  description:
    'A sign-in is an access token that is still valid. At most the newest 200 are listed; used_at is accurate to ten minutes.',
  ...pagesOf(SignIn),
});

export const endSignIn = own.delete('/identity/sign-ins/{sign_in_id}', 'End a sign-in of the caller', {
  description: 'Its streams and broker connections end within seconds. A program that has the key can sign in again.',
  replies: { 204: null },
  problems: ['not_found'],
});

export const endAllSignIns = own.delete('/identity/sign-ins', 'Sign out everywhere', {
  description: 'Ends every sign-in of the caller, this one included. Connected applications keep their access.',
  replies: { 204: null },
});

export const requestChallenge = api.post('/auth/challenge', 'Request a challenge to sign', {
  description:
    'Sign the UTF-8 bytes of the challenge exactly as received. A challenge is valid for 120 s and can be used once.',
  body: Type.Object({ public_key: KeyText }),
  replies: { 200: Type.Object({ challenge: Type.String(), expires_at: Timestamp }) },
  readOnly: true,
  budget: 'login',
});

export const verifyChallenge = api.post('/auth/verify', 'Exchange a signed challenge for an access token', {
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

export const revokeToken = own.post('/auth/revoke', 'Revoke the access token of this request', {
  replies: { 204: null },
});

const Jwk = Type.Object(texts('kty', 'crv', 'x', 'kid', 'alg', 'use'));

export const getJwks = api.get('/.well-known/jwks.json', 'Get the public keys that sign access tokens (JWKS)', {
  replies: { 200: Type.Object({ keys: Type.Array(Jwk) }) },
  conditional: true,
});

export const identityRoutes = api.all;
