import { ended } from '#contract/cloud/commands.ts';
import { dayMs } from '#contract/time.ts';
import { forgetCommands, lastExpiry } from '../store/commands.ts';
import type { Store } from '../store/store.ts';

const most = 500; // in one transaction: others wait for it

/** Removes the commands that ended longer ago than they are kept. A clock that is ahead of the last of them makes none of them old. */
export async function forgetEnded(store: Store, now: number, keptMs: number): Promise<void> {
  const before = Math.min(now, (await lastExpiry(store.db, ended)) + dayMs) - keptMs;
  while ((await store.write(({ db }) => forgetCommands(db, { statuses: ended, before, most }))) === most);
}
