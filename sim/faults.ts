import { type FaultKind, faultKinds } from '#contract/simulation.ts';
import type { Clock } from '#lib/clock.ts';

export { type FaultKind, faultKinds } from '#contract/simulation.ts';

export type FaultOptions = {
  /** how late; for `late` */
  ms?: number;
  /** for `exception` */
  code?: number;
  /** it ends by itself after this */
  forMs?: number;
  /** only every nth message goes wrong */
  everyNth?: number;
};
export type Fault = { kind: FaultKind; ms: number; code: number };

export type Faults = {
  /** those that this wire can have */
  possible: readonly FaultKind[];
  current(): FaultKind | undefined;
  set(kind: FaultKind, options?: FaultOptions): void;
  clear(): void;
  /** What is wrong with the message that is sent now. */
  next(): Fault | undefined;
};

/** Faults of one player; those that its wire cannot have are refused. */
export function createFaults(clock: Clock, possible: readonly FaultKind[] = faultKinds): Faults {
  let fault: (Fault & { untilMs: number; everyNth: number }) | undefined;
  let count = 0;
  const active = () => (fault && clock.now() < fault.untilMs ? fault : undefined);
  return {
    possible,
    current: () => active()?.kind,
    set(kind, { ms = 2000, code = 4, forMs = Number.POSITIVE_INFINITY, everyNth = 1 } = {}) {
      if (!possible.includes(kind)) throw new Error(`Here goes wrong only: ${possible.join(', ')}; not ${kind}.`);
      fault = { kind, ms, code, untilMs: clock.now() + forMs, everyNth };
      count = 0;
    },
    clear() {
      fault = undefined;
    },
    next() {
      const now = active();
      if (!now) return undefined;
      count += 1;
      return count % now.everyNth === 0 ? now : undefined;
    },
  };
}
