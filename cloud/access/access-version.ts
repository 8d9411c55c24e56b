import type { AccessSubject } from '../store/changes.ts';
import type { Write } from '../store/store.ts';
import { bumpAccessVersion } from '../store/tokens.ts';

export type AppliedVersion = ReturnType<typeof createAppliedVersion>;

const nothingApplied = -1;

/**
 * Tracks the access version up to which this process has applied all changes. An announced change has a version and is
 * applied on its own; after an unannounced version everything must be checked.
 */
export function createAppliedVersion() {
  let applied = nothingApplied;
  const ahead = new Set<number>(); // announcements of several processes may arrive out of order

  function advance(): void {
    while (ahead.delete(applied + 1)) applied++;
  }

  return {
    has: (version: number): boolean => applied >= version,
    /** Marks one announced change as applied. */
    add(version: number): void {
      ahead.add(version);
      advance();
    },
    /** Marks everything up to this version as applied. */
    set(version: number): void {
      applied = version;
      for (const other of ahead) if (other <= version) ahead.delete(other);
      advance();
    },
    /** Marks everything as unchecked, after a change could not be applied. */
    reset(): void {
      applied = nothingApplied;
    },
  };
}

/** Announces changed rights of a subject. A process that misses it checks everything when it sees the new version. */
export async function announceAccess(
  { db, announce }: Pick<Write, 'db' | 'announce'>,
  subject: AccessSubject,
): Promise<void> {
  await announce({ what: 'access', version: await bumpAccessVersion(db), ...subject });
}
