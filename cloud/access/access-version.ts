import type { AccessSubject } from '../store/changes.ts';
import type { Write } from '../store/store.ts';
import { bumpAccessVersion } from '../store/tokens.ts';
/**
 * The access version up to which this process has applied all changes. An announced change carries its version and is
 * applied on its own; after an unannounced version everything must be checked.
 */
export type AppliedVersion = {
  has(version: number): boolean;
  /** Marks one announced change as applied. */
  add(version: number): void;
  /** Marks everything up to this version as applied. */
  set(version: number): void;
  /** Marks everything as unchecked, after a change could not be applied. */
  reset(): void;
};

const nothingApplied = -1;

export function createAppliedVersion(): AppliedVersion {
  let applied = nothingApplied;
  const ahead = new Set<number>(); // announcements of several processes may arrive out of order

  function advance(): void {
    while (ahead.delete(applied + 1)) applied++;
  }

  return {
    has: (version) => applied >= version,
    add(version) {
      ahead.add(version);
      advance();
    },
    set(version) {
      applied = version;
      for (const other of ahead) if (other <= version) ahead.delete(other);
      advance();
    },
    reset() {
      applied = nothingApplied;
    },
  };
}

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
