import type { Problem } from '#contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { AccessSubject } from '../store/changes.ts';
import type { Caller } from './caller.ts';

type TokenMemoryDeps = {
  verify(authorization: string): Promise<Caller>;
  /** the problem for an expired token */
  refusal(): Problem;
  clock: Clock;
};

export type TokenMemory = ReturnType<typeof createTokenMemory>;

const maxTokens = 20_000;

/** Caches verified tokens with their callers until they expire or access changes. */
export function createTokenMemory({ verify, refusal, clock }: TokenMemoryDeps) {
  const remembered = new RecentMap<Caller>(maxTokens); // by the whole header
  let changes = 0;

  return {
    async authenticate(authorization: string): Promise<Caller> {
      const known = remembered.get(authorization);
      if (known && known.expiresAt > clock.now()) return known;
      if (known) {
        remembered.delete(authorization);
        throw refusal();
      }
      const seen = changes;
      const caller = await verify(authorization);
      if (seen === changes) remembered.set(authorization, caller); // else it may have been read before the change
      return caller;
    },

    /** Removes the tokens that an access change concerns, or all, so that they are verified again. */
    forget(subject?: AccessSubject): void {
      changes++;
      for (const [header, caller] of remembered) {
        if (!subject || isConcerned(caller, subject)) remembered.delete(header);
      }
    },
  };
}

function isConcerned({ identityId, tokenId, application }: Caller, subject: AccessSubject): boolean {
  if (subject.identityId !== undefined && subject.identityId !== identityId) return false;
  if (subject.tokenId !== undefined && subject.tokenId !== tokenId) return false;
  return subject.clientId === undefined || subject.clientId === application?.clientId;
}
