import type { Ledger, Stored } from '#sim/fleet/ledger.ts';

/** A system that is killed while readings are written to it. */
export type Contender = AsyncDisposable & {
  name: string;
  isOurs: boolean;
  /** Writes continuously, each time after the last acknowledgement, and reconnects; the returned function stops it. */
  report(ledger: Ledger): () => Promise<void>;
  /** Returns why the last failed write was not acknowledged. */
  lastRefusal?(): unknown;
  /** Kills it; resolves when it answers again. */
  killAndRestart(): Promise<void>;
  stored(): Promise<Stored>;
};
