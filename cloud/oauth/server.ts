import type Provider from 'oidc-provider';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { KeyRing } from '../identity/key-ring.ts';
import type { Store } from '../store/store.ts';

export type OAuthServer = { get(): Promise<Provider>; issuer(): string };

export type OAuthDeps = { store: Store; clock: Clock; log: Logger; keys: KeyRing; baseUrl(): string };

/** Loaded by the first who asks: most platforms never do. Made anew when another key signs. */
export function createOAuthServer({ store, clock, log, keys, baseUrl }: OAuthDeps): OAuthServer {
  let made: { kid: string; provider: Promise<Provider> } | undefined;

  async function make(): Promise<Provider> {
    const { createProvider } = await import('./provider.ts');
    return createProvider({ store, clock, log, keys, issuer: baseUrl() });
  }

  return {
    issuer: baseUrl,
    get() {
      const { kid } = keys.signingJwk();
      if (made?.kid === kid) return made.provider;
      const provider = make();
      made = { kid, provider };
      provider.catch(() => {
        if (made?.provider === provider) made = undefined; // the next who asks tries again
      });
      return provider;
    },
  };
}
