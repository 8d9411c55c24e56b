import type { Ledger, Stored } from '#sim/fleet/ledger.ts';

/** A system that is killed while it is written to. */
export type Contender = AsyncDisposable & {
  name: string;
  isOurs: boolean;
  /** Writes steadily, the next when the last is acknowledged, through every loss of the connection; what is returned ends that. */
  report(ledger: Ledger): () => Promise<void>;
  /** Why a write was not acknowledged, the last time. */
  lastRefusal?(): unknown;
  /** Ends it at once; it answers again when this resolves. */
  killAndRestart(): Promise<void>;
  stored(): Promise<Stored>;
};
