import type { AccessSubject } from '../store/changes.ts';
import type { Write } from '../store/store.ts';
import { bumpAccessVersion } from '../store/tokens.ts';
/**
 * The access version up to which this process has applied all changes. An announced change carries its version and is
 * applied by itself; a version that nobody announced means that everything must be checked.
 */
export type AppliedVersion = {
  has(version: number): boolean;
  /** One announced change is applied, or about to be. */
  add(version: number): void;
  /** Everything up to this version is applied. */
  set(version: number): void;
  /** A change could not be applied: everything must be checked. */
  reset(): void;
};

const nothingApplied = -1;

export function createAppliedVersion(): AppliedVersion {
  let applied = nothingApplied;
  const ahead = new Set<number>(); // announcements of several processes may arrive in another order

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
