import type { Problem } from '#contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import type { AccessSubject } from '../store/changes.ts';
import type { Caller } from './caller.ts';

/** Tokens that were verified, each with its caller, until they end or something about access changes. */
export type TokenMemory = {
  /** At once for a token seen before. */
  authenticate(authorization: string): Caller | Promise<Caller>;
  /** Forgets the tokens that a change of rights concerns, or all of them, so that the store is asked again. */
  forget(subject?: AccessSubject): void;
};

type TokenMemoryDeps = {
  verify(authorization: string): Promise<Caller>;
  /** what to say of a token that ended */
  refusal(): Problem;
  clock: Clock;
};

const mostRemembered = 20_000;

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
    if (seen !== changes) return caller; // what was read may be older than the change
    if (remembered.size === mostRemembered) remembered.delete(remembered.keys().next().value!);
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
