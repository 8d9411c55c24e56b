import type { AccessSubject } from '../store/changes.ts';
import type { Write } from '../store/store.ts';
import { bumpAccessVersion } from '../store/tokens.ts';

/**
 * Announces that the rights of a subject changed. A process that misses the announcement checks everything when it sees
 * the new version.
 */
export async function announceAccess(
  { db, announce }: Pick<Write, 'db' | 'announce'>,
  subject: AccessSubject,
): Promise<void> {
  await announce({ what: 'access', version: await bumpAccessVersion(db), ...subject });
}
