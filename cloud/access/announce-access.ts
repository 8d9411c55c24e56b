import type { Write } from '../store/store.ts';
import { bumpAccessVersion } from '../store/tokens.ts';

/**
 * Who may see something changed, of one identity or one token where that is known. Whoever misses the announcement looks
 * again when the version has moved.
 */
export async function announceAccess(
  { db, announce }: Pick<Write, 'db' | 'announce'>,
  whose: { identityId?: string; tokenId?: string } = {},
): Promise<void> {
  await bumpAccessVersion(db);
  await announce({ what: 'access', ...whose });
}
