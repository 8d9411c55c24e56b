import type { Logger } from '#lib/log.ts';
import type { Transport } from '../broker/transport.ts';
import type { Change } from '../store/changes.ts';
import type { Store } from '../store/store.ts';
import type { Pipeline } from './pipeline.ts';
import type { Streams } from './streams.ts';

export type ReactionDeps = { store: Store; pipeline: Pipeline; streams: Streams; transport: Transport; log: Logger };

/** What is remembered or held open ends with the right to it, whichever process took that away. */
export function reactToChanges({ store, pipeline, streams, transport, log }: ReactionDeps): void {
  const told = (change: Change, reaction: Promise<void>): void => {
    reaction.catch((error: unknown) =>
      log.error({ err: error, change }, 'a change of rights did not take full effect'),
    );
  };
  store.onChange((change) => {
    if ('serial' in change) {
      pipeline.forget(change.serial);
      if (change.what !== 'gateway') return;
      told(change, streams.recheck());
      told(change, transport.disconnect({ serial: change.serial }));
      return;
    }
    told(change, streams.recheck());
    if (change.what === 'anything') return pipeline.forget();
    if (change.identityId) told(change, transport.disconnect({ identityId: change.identityId }));
    if (change.tokenId) told(change, transport.disconnect({ tokenId: change.tokenId }));
  });
}
