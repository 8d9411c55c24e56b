import Provider, { type Client, type Context, errors, interactionPolicy } from 'oidc-provider';
import { oauthScopes } from '#contract/access.ts';
import { authorizationPage } from '#contract/cloud/oauth.ts';
import { oauthError, Problem } from '#contract/problem.ts';
import { sameSecret } from '#lib/secret.ts';
import { accessTokenSeconds, consentLifeMs, oauthRecordId, requestCookie } from '../access/application-tokens.ts';
import { explain } from '../access/explain.ts';
import type { KeyRing } from '../identity/key-ring.ts';
import { findIdentity } from '../store/identities.ts';
import type { CommonDeps } from '../store/store.ts';
import { createAdapter } from './adapter.ts';
import { claimsOf } from './clients.ts';

const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const clientFault = `The application sent an authorization request that cannot be answered safely. Go back to it and try again.
If that does not help, report this to its operator:`;
const serverFault = 'Go back to the application that sent you here and try again in a moment:';

/** Renders an error page for a browser that cannot be redirected back to the application. */
function renderError(context: Context, out: { error: string; error_description?: string }): void {
  const isForBrowser = context.path.startsWith('/oauth/authorize'); // only programs call the others
  if (!isForBrowser || context.accepts('json', 'html') !== 'html') {
    context.body = { error_description: 'This request cannot be answered.', ...out };
    return;
  }
  context.set({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  context.type = 'html';
  context.body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>This request cannot be answered</title>
<h1>This request cannot be answered</h1>
<p>${out.error === 'temporarily_unavailable' ? serverFault : clientFault}</p>
<p><code>${escaped(out.error)}</code> ${escaped(out.error_description ?? '')}</p>
</html>
`;
}

const escaped = (text: string): string => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Answers 503 instead of 500 when the database is temporarily unavailable. */
function answerFaults(provider: Provider, { store, log }: Pick<CommonDeps, 'store' | 'log'>): void {
  const problems = new WeakMap<Context, Problem>();

  provider.on('server_error', (context, error) => {
    const explained = explain(error, store);
    if (explained instanceof Problem) problems.set(context, explained);
    log[explained instanceof Problem ? 'warn' : 'error']({ err: error }, 'OAuth request failed');
  });
  provider.on('error', (error) => log.error({ err: error }, 'OAuth request failed'));

  provider.use(async (context, next) => {
    await next();
    const problem = problems.get(context);
    if (!problem) return;
    context.status = problem.status;
    context.set({ 'retry-after': String(problem.details.retryAfterSeconds) });
    renderError(context, oauthError(problem));
  });
}

export type ProviderDeps = CommonDeps & { issuer: string; keys: KeyRing };

const hour = 3600;

/** Creates the OAuth server with this platform's paths, keys, storage and rules. */
export function createProvider({ store, clock, log, issuer, keys }: ProviderDeps): Provider {
  const basePath = new URL(issuer).pathname.replace(/\/$/, '');
  const isOwn = (_: Context, client: Client, token: { clientId: string }): boolean =>
    token.clientId === client.clientId;

  const provider = new Provider(issuer, {
    adapter: (kind: string) => createAdapter(kind, { store, clock }),
    jwks: { keys: [keys.signingJwk()] },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      userinfo: '/oauth/userinfo',
      revocation: '/oauth/revoke',
      introspection: '/oauth/introspect',
      jwks: '/.well-known/jwks.json',
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: true },
      revocation: { enabled: true, allowedPolicy: isOwn },
      introspection: {
        enabled: true,
        allowedPolicy: (context: Context, client: Client, token: { clientId: string }) =>
          client.clientAuthMethod !== 'none' && isOwn(context, client, token),
      },
    },
    scopes: oauthScopes,
    claims: { openid: ['sub'], profile: ['name', 'login', 'email'] },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'EdDSA',
    },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    issueRefreshToken: (_: Context, client: Client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    ttl: {
      AuthorizationCode: 60,
      AccessToken: accessTokenSeconds,
      IdToken: hour,
      RefreshToken: 30 * 24 * hour,
      Interaction: hour / 2,
      Session: hour,
      Grant: consentLifeMs / 1000,
    },
    cookies: {
      names: { session: 'ohmstead_oauth_session', interaction: requestCookie, resume: 'ohmstead_oauth_resume' },
      short: { httpOnly: true, sameSite: 'lax', path: `${basePath}/oauth/authorize` },
      long: { httpOnly: true, sameSite: 'lax', path: `${basePath}/oauth/authorize` },
    },
    interactions: {
      policy: alwaysAsk(),
      url: (_: Context, { uid }: { uid: string }) => `${basePath}${authorizationPage}?request=${uid}`,
    },
    loadExistingGrant: ({ oidc }: Context) =>
      oidc.result?.consent ? oidc.provider.Grant.find(oidc.result.consent.grantId) : undefined,
    findAccount: async (_: Context, id: string) => {
      const identity = await findIdentity(store.db, id);
      if (!identity || identity.disabled_at !== null) return undefined;
      return { accountId: id, claims: () => claimsOf(identity) };
    },
    // A browser application may exchange its code from the origin of its redirect URI.
    clientBasedCORS: (_: Context, origin: string, { clientAuthMethod, redirectUris }: Client) =>
      clientAuthMethod === 'none' && redirectUris.some((uri) => new URL(uri).origin === origin),
    renderError,
  });

  provider.proxy = true; // delegate.ts passes the host and protocol of the issuer as a proxy would
  provider.silent = true;
  provider.Client.prototype.compareClientSecret = function compare(this: Client, given: string): boolean {
    return sameSecret(oauthRecordId(given), this.clientSecret ?? '');
  };
  answerFaults(provider, { store, log });
  return provider;
}

/** Requires a decision by a signed-in person for every request. */
function alwaysAsk(): object[] {
  const { Prompt, Check } = interactionPolicy;
  const needs = (name: 'login' | 'consent'): object =>
    new Prompt(
      { name, requestable: true },
      new Check(`${name}_needed`, `${name} is needed`, ({ oidc }) => {
        if (oidc.requestParamOIDCScopes.size === 0)
          throw new errors.InvalidScope('ask for a scope that is served here');
        return oidc.result?.[name] === undefined;
      }),
    );
  return [needs('login'), needs('consent')];
}
