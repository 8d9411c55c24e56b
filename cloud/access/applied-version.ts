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
