import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#lib/log.ts';
import type { Transport } from '../broker/transport.ts';
import type { Change } from '../store/changes.ts';
import type { Store } from '../store/store.ts';
import type { Pipeline } from './pipeline.ts';
import type { Streams } from './streams.ts';

export type ReactionDeps = { store: Store; pipeline: Pipeline; streams: Streams; transport: Transport; log: Logger };

const mostMs = 1000; // a broker that hangs holds the answer to a change no longer

/** What is remembered or held open ends with the right to it, whichever process took that away. */
export function reactToChanges({ store, pipeline, streams, transport, log }: ReactionDeps): void {
  function reactionsTo(change: Change): Promise<void>[] {
    if ('serial' in change) {
      const forgotten = pipeline.forget(change.serial);
      if (change.what !== 'gateway') return [forgotten];
      return [forgotten, streams.recheck(), transport.disconnect({ serial: change.serial })];
    }
    const reactions = [streams.recheck()];
    if (change.what === 'anything') return [...reactions, pipeline.forget()];
    const { identityId, tokenId } = change;
    if (identityId) reactions.push(transport.disconnect({ identityId }));
    if (tokenId) reactions.push(transport.disconnect({ tokenId }));
    return reactions;
  }

  store.onChange(async (change) => {
    const failed = (error: unknown): void =>
      log.error({ err: error, change }, 'a change of rights did not take full effect');
    const done = Promise.all(reactionsTo(change).map((reaction) => reaction.catch(failed)));
    await Promise.race([done, sleep(mostMs, undefined, { ref: false })]);
  });
}
