import { holder, may, oauthScopes, signedIn } from '../access.ts';
import { routesOf } from '../route.ts';
import { Id, Name, Nullable, OneOf, pagesOf, type Static, Text, Timestamp, Titled, Type, texts } from '../schema.ts';

const tag = 'OAuth';

/** Routes that the OAuth server handles. */
const delegated = routesOf({ tag, access: 'public', oauthErrors: true });
const posted = routesOf({ tag, access: 'public', oauthErrors: true, budget: 'login', form: true }, delegated.all);
const described = routesOf({ tag, access: 'public' }, delegated.all);

const page = routesOf({ tag, oauthErrors: true });
const managed = routesOf({ tag, access: may('manage', 'organization', 'params.org_id') }, page.all);
const own = routesOf({ tag, access: signedIn }, page.all);

const Uri = Text(2000);

const scopeText = Text(1000, `separated by spaces: ${oauthScopes.join(' ')}`);

/** Path of the authorization page; the browser is redirected there with the id of the request. */
export const authorizationPage = '/oauth/authorize/page';

delegated.get('/oauth/authorize', 'Start an authorization request', {
  description:
    'Redirects the browser to the authorization page. Authorization code flow with PKCE S256 (RFC 6749, RFC 7636); the response carries iss (RFC 9207).',
  query: Type.Object({
    response_type: OneOf(['code']),
    client_id: Id,
    redirect_uri: Uri,
    scope: scopeText,
    state: Type.Optional(Text(1000)),
    nonce: Type.Optional(Text(1000)),
    code_challenge: Text(128),
    code_challenge_method: OneOf(['S256']),
  }),
  replies: { 303: null },
  budget: 'login',
  errorPage: true,
});

export const AuthorizationRequest = Titled('AuthorizationRequest', {
  client: Type.Object({
    ...texts('client_id', 'name'),
    /** the organization that registered it; null when the operator did */
    organization: Nullable(Type.String()),
  }),
  redirect_host: Type.String(),
  scopes: Type.Array(OneOf(oauthScopes)),
});
export type AuthorizationRequest = Static<typeof AuthorizationRequest>;

export const getAuthorizationRequest = page.get(
  '/oauth/authorize/request',
  'Get the authorization request of this browser',
  { access: 'public', query: Type.Object({ request: Id }), replies: { 200: AuthorizationRequest } },
);

export const completeAuthorization = page.post('/oauth/authorize/complete', 'Approve or deny an authorization', {
  description:
    'Called by the authorization page with the access token of the user, from the browser that started the request. The ' +
    'browser then goes to the returned address.',
  access: holder,
  body: Type.Object({
    request: Id,
    allow: Type.Boolean(),
    org_ids: Type.Optional(
      Type.Array(Id, { maxItems: 1000, description: 'the organizations that the application may access' }),
    ),
  }),
  replies: { 200: Type.Object({ redirect_to: Type.String() }) },
  // The handler runs its own transactions.
  readOnly: true,
});

const clientAuthentication = {
  client_id: Type.Optional(Id),
  client_secret: Type.Optional(Text(256)),
};

posted.post('/oauth/token', 'Exchange an authorization code or refresh token for an access token', {
  body: Type.Object({
    grant_type: OneOf(['authorization_code', 'refresh_token']),
    code: Type.Optional(Text(256)),
    redirect_uri: Type.Optional(Uri),
    code_verifier: Type.Optional(Text(128)),
    refresh_token: Type.Optional(Text(256)),
    scope: Type.Optional(scopeText),
    ...clientAuthentication,
  }),
  replies: {
    200: Type.Object({
      access_token: Type.String(),
      token_type: OneOf(['Bearer']),
      expires_in: Type.Integer(),
      scope: Type.String(),
      refresh_token: Type.Optional(Type.String({ description: 'can be used once' })),
      id_token: Type.Optional(Type.String({ description: 'with the scope openid' })),
    }),
  },
  problems: ['unauthenticated'],
});

export const getUserinfo = delegated.get('/oauth/userinfo', 'Get the claims of the signed-in user (OpenID Connect)', {
  replies: {
    200: Type.Object({
      sub: Type.String(),
      name: Type.Optional(Nullable(Type.String())),
      login: Type.Optional(Type.String()),
      email: Type.Optional(Nullable(Type.String())),
    }),
  },
  problems: ['unauthenticated', 'forbidden'],
});

const tokenBody = Type.Object({ token: Text(256), token_type_hint: Type.Optional(Text(64)), ...clientAuthentication });

posted.post('/oauth/revoke', 'Revoke a token (RFC 7009)', {
  body: tokenBody,
  replies: { 200: null },
});

posted.post('/oauth/introspect', 'Introspect a token of the calling confidential client (RFC 7662)', {
  body: tokenBody,
  replies: { 200: Type.Object({ active: Type.Boolean() }) },
  problems: ['unauthenticated'],
  readOnly: true,
});

const Metadata = Type.Object(
  texts('issuer', 'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'),
);

described.get('/.well-known/oauth-authorization-server', 'Get the OAuth server metadata (RFC 8414)', {
  replies: { 200: Metadata },
});

described.get('/.well-known/openid-configuration', 'Get the OpenID Connect provider metadata', {
  replies: { 200: Metadata },
});

const client = {
  ...texts('client_id', 'name'),
  redirect_uris: Type.Array(Type.String()),
  confidential: Type.Boolean(),
  created_at: Timestamp,
};

export const OAuthClient = Titled('OAuthClient', client);
export type OAuthClient = Static<typeof OAuthClient>;

export const RegisteredClient = Titled('RegisteredClient', {
  ...client,
  client_secret: Type.Optional(Type.String({ description: 'shown only once' })),
});

export const NewClient = Type.Object({
  name: Name,
  redirect_uris: Type.Array(Uri, {
    minItems: 1,
    maxItems: 20,
    description: 'https, or http on the loopback address, where any port matches',
  }),
  confidential: Type.Boolean({ description: 'whether the client runs on a server and can keep a secret' }),
});

export const registerClient = managed.post('/organizations/{org_id}/oauth-clients', 'Register an OAuth client', {
  body: NewClient,
  replies: { 201: RegisteredClient },
  problems: ['unprocessable', 'quota_exceeded'],
  creates: true,
});

export const listClients = managed.get('/organizations/{org_id}/oauth-clients', 'List the OAuth clients', {
  ...pagesOf(OAuthClient),
});

export const removeClient = managed.delete(
  '/organizations/{org_id}/oauth-clients/{client_id}',
  'Delete an OAuth client and revoke its tokens',
  { replies: { 204: null } },
);

export const Consent = Titled('Consent', {
  ...texts('id', 'client_id', 'client_name'),
  scopes: Type.Array(OneOf(oauthScopes)),
  org_ids: Type.Array(Type.String()),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type Consent = Static<typeof Consent>;

export const listConsents = own.get('/identity/consents', 'List the consents of the caller', pagesOf(Consent));

export const withdrawConsent = own.delete(
  '/identity/consents/{consent_id}',
  'Withdraw a consent and end the tokens and streams of the application',
  { replies: { 204: null }, problems: ['not_found'] },
);

export const delegatedRoutes = delegated.all;

export const oauthRoutes = [...delegatedRoutes, ...page.all];
