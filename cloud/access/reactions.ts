import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { Transport } from '../broker/transport.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { Change } from '../store/changes.ts';
import { listDisabledIds, listSignedOutIds } from '../store/identities.ts';
import type { Store } from '../store/store.ts';
import type { Pipeline } from '../telemetry/pipeline.ts';
import type { Streams } from '../telemetry/streams.ts';
import type { AppliedVersion } from './access-version.ts';
import type { TokenMemory } from './token-memory.ts';

export type ReactionDeps = {
  store: Pick<Store, 'db'>;
  sessions: Pick<Sessions, 'forget'>;
  applications: Pick<TokenMemory, 'forget'>;
  pipeline: Pick<Pipeline, 'forget'>;
  streams: Pick<Streams, 'recheck'>;
  transport: Pick<Transport, 'disconnect'>;
  applied: Pick<AppliedVersion, 'add' | 'reset'>;
  clock: Clock;
  log: Logger;
};

const maxClockDifferenceMs = minuteMs; // between the processes of a platform
const maxWaitMs = 1000; // a broker that does not answer must not delay the reply longer

/** Drops caches, streams and connections of this process when access is withdrawn, in this or another process. */
export function createReactions(deps: ReactionDeps) {
  const { store, sessions, applications, pipeline, streams, transport, applied, clock, log } = deps;
  let disabledIds = new Set<string>();
  let checkedAt = clock.now();

  /** Disconnects members that were disabled or signed out since the last call: connected clients are not authenticated again. */
  async function endMembersOut(): Promise<void> {
    const disabled = new Set(await listDisabledIds(store.db));
    const newly = [...disabled].filter((id) => !disabledIds.has(id));
    const now = clock.now();
    const out = await listSignedOutIds(store.db, checkedAt - maxClockDifferenceMs);
    await Promise.all([...newly, ...out].map((identityId) => transport.disconnect({ identityId })));
    disabledIds = disabled;
    checkedAt = now;
  }

  function reactionsTo(change: Change): Promise<void>[] {
    if ('serial' in change) {
      const forgotten = pipeline.forget(change.serial);
      if (change.what !== 'gateway') return [forgotten];
      const { serial } = change;
      return [forgotten, streams.recheck({ serial }), transport.disconnect({ serial })];
    }
    if (change.what === 'anything') {
      applications.forget();
      return [streams.recheck(), pipeline.forget()];
    }
    const { what, version, ...subject } = change;
    applied.add(version);
    const { identityId, tokenId, clientId, siteId } = subject;
    if (siteId === undefined) for (const tokens of [sessions, applications]) tokens.forget(subject);
    const reactions = [streams.recheck(subject)];
    const isMember = identityId !== undefined && clientId === undefined; // applications have no connections
    if (isMember) reactions.push(transport.disconnect({ identityId, tokenId }));
    return reactions;
  }

  return {
    /** Reacts to a change announced by any process. */
    async toChange(change: Change): Promise<void> {
      const failed = (error: unknown): void => {
        log.error({ err: error, change }, 'access change not fully applied');
        applied.reset();
      };
      const done = Promise.all(reactionsTo(change).map((reaction) => reaction.catch(failed)));
      await Promise.race([done, sleep(maxWaitMs, undefined, { ref: false })]);
    },

    /** Reacts to a new access version whose cause is unknown. Rejects when it must be retried. */
    async toNewVersion(tokensEnded: boolean): Promise<void> {
      sessions.forget();
      applications.forget();
      const endMembers = (): Promise<void> => transport.disconnect({ members: 'all' });
      await Promise.all([streams.recheck(), endMembersOut(), ...(tokensEnded ? [endMembers()] : [])]);
    },
  };
}
