import { join } from 'node:path';
import { readJsonOrWarn, removeFile, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';

export type ClaimState = Awaited<ReturnType<typeof openClaimState>>;

type Kept = { claimed_at: number; refused_since?: number };

/** How long logins are refused until the gateway counts as released: the platform may be down for a while. */
export const releasedAfterMs = 3_600_000;

/** Tracks whether this gateway is claimed on a platform, as far as it can tell. Stored in the data folder. */
export async function openClaimState(dataDir: string, clock: Clock, log: Logger) {
  const path = join(dataDir, 'claimed.json');
  let state = await readJsonOrWarn<Kept>(path, 'the state of the claim was damaged and set aside', log);
  let writing = Promise.resolve();

  function change(next: Kept | undefined): void {
    state = next;
    writing = writing
      .then(() => (next ? writeJson(path, next) : removeFile(path)))
      .catch((error: unknown) => {
        log.error({ err: error }, 'failed to store whether the gateway is claimed');
      });
  }

  return {
    isClaimed: () => state !== undefined,
    /** The platform has acknowledged samples or named itself, as it does for claimed gateways alone. */
    heard(): void {
      if (state && state.refused_since === undefined) return;
      if (!state) log.info('the platform knows this gateway; its broker and a reset now need the local token');
      change({ claimed_at: state?.claimed_at ?? clock.now() });
    },
    /** The broker of the platform has refused the key of this gateway. */
    refused(): void {
      if (!state) return;
      const { refused_since = clock.now() } = state;
      if (clock.now() - refused_since >= releasedAfterMs) {
        log.info('the platform no longer knows this gateway; its broker and a reset are open again');
        change(undefined);
      } else if (state.refused_since === undefined) change({ ...state, refused_since });
    },
  };
}
