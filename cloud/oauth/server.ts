import type Provider from 'oidc-provider';
import type { KeyRing } from '../identity/key-ring.ts';
import type { CommonDeps } from '../store/store.ts';

export type OAuthServer = { get(): Promise<Provider>; issuer(): string };

export type OAuthDeps = CommonDeps & { keys: KeyRing; baseUrl(): string };

/** Loads the OAuth server with the first request, because most platforms never use it. Recreates it after a key rotation. */
export function createOAuthServer({ store, clock, log, keys, baseUrl }: OAuthDeps): OAuthServer {
  let current: { kid: string; provider: Promise<Provider> } | undefined;

  async function create(): Promise<Provider> {
    const { createProvider } = await import('./provider.ts');
    return createProvider({ store, clock, log, keys, issuer: baseUrl() });
  }

  return {
    issuer: baseUrl,
    get() {
      const { kid } = keys.signingJwk();
      if (current?.kid === kid) return current.provider;
      const provider = create();
      current = { kid, provider };
      provider.catch(() => {
        if (current?.provider === provider) current = undefined; // the next request retries
      });
      return provider;
    },
  };
}
