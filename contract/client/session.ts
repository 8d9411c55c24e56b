import { createClient } from '../client.ts';
import { registerIdentity, requestChallenge, verifyChallenge } from '../cloud/identity.ts';
import { Problem } from '../problem.ts';
import type { SigningKey } from './key.ts';
import { fromBase64 } from './key.ts';
import type { SenderOptions } from './send.ts';

export type SessionOptions = {
  /** signs in, now and whenever the token is over */
  key?: SigningKey;
  /** of an earlier sign-in; without a key it lasts as long as it lasts */
  token?: string;
  /** for the identity, when the key is registered */
  name?: string;
  /** false refuses a key that the platform does not know */
  register?: boolean;
  /** Told each new token, to keep it for the next time. */
  onToken?(token: string, expiresAt: string): void | Promise<void>;
};

/** A token to send; another one when this was refused, unless there is no key to get one. */
export type Session = (refused?: string) => Promise<string>;

type HeldToken = { token: string; renewAt: number };

/** Holds a token, and signs in for the next before it is over or when it was refused: once, however many ask. */
export function createSession(reach: Omit<SenderOptions, 'token'>, options: SessionOptions): Session {
  const { key, token, name, register = true, onToken } = options;
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
    mayRegister = false; // an identity that vanishes later is for a person to look at
    held = { token, renewAt: startedAt + usedMs(token) };
    await onToken?.(token, expires_at);
    return held;
  }

  return async (refused) => {
    const current = held?.token === refused ? undefined : held;
    if (current && performance.now() < current.renewAt) return current.token;
    if (!key) {
      if (held) return held.token;
      throw new Problem('unauthenticated', 'There is neither a key nor a token to sign in with.');
    }
    signingIn ??= signIn(key).finally(() => {
      signingIn = undefined;
    });
    // A token that nobody refused may still do when there is no other to be had.
    return (await (current ? signingIn.catch(() => current) : signingIn)).token;
  };
}

const usedShare = 0.9; // the last tenth is for requests on their way, and for a platform that is away

/** How long to use a token, by the life that it tells itself: the clock of this machine may be wrong. */
function usedMs(token: string): number {
  const [, claims = ''] = token.split('.');
  const { iat, exp } = JSON.parse(new TextDecoder().decode(fromBase64(claims))) as { iat: number; exp: number };
  return (exp - iat) * 1000 * usedShare;
}
