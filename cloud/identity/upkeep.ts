import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs, minuteMs } from '#contract/time.ts';
import { createSchedule } from '#lib/every.ts';
import type { AppliedVersion } from '../access/access-version.ts';
import { forgetEnded } from '../commands/commands.ts';
import { deleteExpiredPairings } from '../store/browsers.ts';
import { deleteOldAnswers } from '../store/idempotency.ts';
import { deleteExpiredInvitations } from '../store/members.ts';
import { deleteExpiredOAuth } from '../store/oauth.ts';
import { deleteExpiredSignIns } from '../store/sign-ins.ts';
import type { CommonDeps } from '../store/store.ts';
import { deleteExpiredTickets, deleteExpiredTokens, readAccessVersion } from '../store/tokens.ts';
import type { KeyRing } from './key-ring.ts';
import type { Sessions } from './sessions.ts';

export type UpkeepDeps = CommonDeps & {
  keys: KeyRing;
  sessions: Pick<Sessions, 'writeUses'>;
  keyLifeMs: number;
  commandsKeptMs: number;
  applied: AppliedVersion;
  /** called for an unannounced access change; `tokensEnded` if all earlier tokens are invalid */
  accessChanged(tokensEnded: boolean): Promise<void>;
};

const watchMs = 500; // delay until changes of other processes and of the command line are noticed
const announcementMs = 100; // a new version may be read before its announcement arrives
const cleanMs = 10 * minuteMs;
const answersKeptMs = dayMs;
const invitationsKeptMs = 90 * dayMs; // after their expiry; the link returns 410 until then, 404 later

/** Watches for access changes of other processes, rotates signing keys and deletes expired records. */
export function createUpkeep(deps: UpkeepDeps) {
  const { store, keys, clock, log, applied } = deps;
  let tokensEnded = false;

  async function watch(): Promise<void> {
    const version = await readAccessVersion(store.db);
    if (applied.has(version)) return;
    await sleep(announcementMs);
    if (applied.has(version)) return;
    tokensEnded = (await keys.reload()) || tokensEnded;
    await deps.accessChanged(tokensEnded);
    tokensEnded = false;
    applied.set(version); // last, so that a failure is retried
  }

  async function clean(): Promise<void> {
    if (await keys.rotateAfter(deps.keyLifeMs)) log.info('signing key rotated');
    await store.write(async ({ db }) => {
      await deleteExpiredTokens(db, clock.now());
      await deps.sessions.writeUses(db);
      await deleteExpiredSignIns(db, clock.now());
      await deleteExpiredPairings(db, clock.now());
      await deleteOldAnswers(db, clock.now() - answersKeptMs);
      await deleteExpiredTickets(db, clock.now());
      await deleteExpiredOAuth(db, clock.now());
      await deleteExpiredInvitations(db, clock.now() - invitationsKeptMs);
    });
    await forgetEnded(store, clock.now(), deps.commandsKeptMs);
  }

  return createSchedule(log, [watchMs, watch, 'watching for revocations'], [cleanMs, clean, 'cleaning up']);
}
