import type { Problem } from '#contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import type { AccessSubject } from '../store/changes.ts';
import type { Caller } from './caller.ts';

/** A cache of verified tokens with their callers, until they expire or access changes. */
export type TokenMemory = {
  /** Synchronous for a cached token. */
  authenticate(authorization: string): Caller | Promise<Caller>;
  /** Removes the tokens that an access change concerns, or all, so that they are verified again. */
  forget(subject?: AccessSubject): void;
};

type TokenMemoryDeps = {
  verify(authorization: string): Promise<Caller>;
  /** the problem for an expired token */
  refusal(): Problem;
  clock: Clock;
};

const maxTokens = 20_000;

function isConcerned({ identityId, tokenId, application }: Caller, subject: AccessSubject): boolean {
  if (subject.identityId !== undefined && subject.identityId !== identityId) return false;
  if (subject.tokenId !== undefined && subject.tokenId !== tokenId) return false;
  return subject.clientId === undefined || subject.clientId === application?.clientId;
}

export function createTokenMemory({ verify, refusal, clock }: TokenMemoryDeps): TokenMemory {
  const remembered = new Map<string, Caller>(); // by the whole header
  let changes = 0;

  async function verifyAndRemember(authorization: string): Promise<Caller> {
    const seen = changes;
    const caller = await verify(authorization);
    if (seen !== changes) return caller; // it may have been read before the change
    const [oldest] = remembered.keys();
    if (remembered.size >= maxTokens && oldest !== undefined) remembered.delete(oldest);
    remembered.set(authorization, caller);
    return caller;
  }

  return {
    authenticate(authorization) {
      const caller = remembered.get(authorization);
      if (!caller) return verifyAndRemember(authorization);
      if (caller.expiresAt > clock.now()) return caller;
      remembered.delete(authorization);
      throw refusal();
    },

    forget(subject) {
      changes++;
      if (!subject) return remembered.clear();
      for (const [header, caller] of remembered) if (isConcerned(caller, subject)) remembered.delete(header);
    },
  };
}
