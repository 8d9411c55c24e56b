import { createClient } from '../client.ts';
import { registerIdentity, requestChallenge, verifyChallenge } from '../cloud/identity.ts';
import { Problem } from '../problem.ts';
import type { SigningKey } from './key.ts';
import { fromBase64 } from './key.ts';
import type { SenderOptions } from './send.ts';

export type SessionOptions = {
  /** signs in, now and whenever the token expires */
  key?: SigningKey;
  /** from an earlier sign-in; without a key it cannot be renewed */
  token?: string;
  /** name of the identity if the key is registered */
  name?: string;
  /** false rejects a key that the platform does not know */
  register?: boolean;
  /** Called when a valid token was refused, for example after signing out elsewhere; without it the key signs in again. */
  onEnded?(): void;
  /** Called with each new token, so that it can be stored. */
  onToken?(token: string, expiresAt: string): void | Promise<void>;
};

/** Returns an access token; a new one if `refused` was rejected and there is a key. */
export type Session = (refused?: string) => Promise<string>;

type HeldToken = { token: string; renewAt: number };

/** Holds a token and renews it before it expires or when it was refused; concurrent callers share one sign-in. */
export function createSession(reach: Omit<SenderOptions, 'token'>, options: SessionOptions): Session {
  const { key, token, name, register = true, onToken, onEnded } = options;
  const anyone = createClient(reach);
  let held: HeldToken | undefined = token === undefined ? undefined : { token, renewAt: Number.POSITIVE_INFINITY };
  let signingIn: Promise<HeldToken> | undefined;
  let mayRegister = register;

  async function trade(signer: SigningKey) {
    const public_key = signer.publicKey;
    const { challenge } = await anyone.call(requestChallenge, { body: { public_key } });
    return anyone.call(verifyChallenge, { body: { public_key, challenge, signature: await signer.sign(challenge) } });
  }

  async function registerAndTrade(signer: SigningKey) {
    const body = { public_key: signer.publicKey, ...(name !== undefined && { name }) };
    await anyone.call(registerIdentity, { body });
    return trade(signer);
  }

  async function signIn(signer: SigningKey): Promise<HeldToken> {
    const startedAt = performance.now();
    const { token, expires_at } = await trade(signer).catch((error: unknown) => {
      const isUnknown = error instanceof Problem && error.code === 'identity_unknown';
      if (isUnknown && mayRegister) return registerAndTrade(signer);
      throw error;
    });
    mayRegister = false; // an identity that disappears later needs a person's attention
    held = { token, renewAt: startedAt + usedMs(token) };
    await onToken?.(token, expires_at);
    return held;
  }

  return async (refused) => {
    if (onEnded && held && held.token === refused && performance.now() < held.renewAt) {
      onEnded();
      throw new Problem('unauthenticated', 'You were signed out; sign in again.');
    }
    const current = held?.token === refused ? undefined : held;
    if (current && performance.now() < current.renewAt) return current.token;
    if (!key) {
      if (held) return held.token;
      throw new Problem('unauthenticated', 'No key or token to sign in with.');
    }
    signingIn ??= signIn(key).finally(() => {
      signingIn = undefined;
    });
    // Falls back to the current token if signing in fails and the token was not refused.
    return (await (current ? signingIn.catch(() => current) : signingIn)).token;
  };
}

const usedShare = 0.9; // leaves time for requests in flight and for an unreachable platform

/** Returns how long to use a token, from its own claims, because the local clock may be wrong. */
function usedMs(token: string): number {
  const [, claims = ''] = token.split('.');
  const { iat, exp }: { iat: number; exp: number } = JSON.parse(new TextDecoder().decode(fromBase64(claims)));
  return (exp - iat) * 1000 * usedShare;
}
