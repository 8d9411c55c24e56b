import { listDisabledIds } from '../store/identities.ts';
import type { Store } from '../store/store.ts';
import type { Transport } from './transport.ts';

export type DisabledMembersDeps = { store: Pick<Store, 'db'>; transport: Pick<Transport, 'disconnect'> };

/** Ends the connections of those who were disabled since the last time: who is connected is not asked again who they are. */
export function createDisabledMembers({ store, transport }: DisabledMembersDeps): () => Promise<void> {
  let ended = new Set<string>();

  return async () => {
    const disabled = await listDisabledIds(store.db);
    const newly = disabled.filter((id) => !ended.has(id));
    await Promise.all(newly.map((identityId) => transport.disconnect({ identityId })));
    ended = new Set(disabled);
  };
}
