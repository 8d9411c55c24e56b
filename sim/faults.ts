import type { Clock } from '#lib/clock.ts';

/** What can be made to go wrong on a wire. */
export const faultKinds = [
  'silence', // no answer, no message
  'late', // after `ms`
  'wrong-unit', // the answer names another unit
  'wrong-transaction', // the answer of another question
  'exception', // Modbus: exception `code`; MQTT: a command is refused
  'cut-frame', // only the first half
  'bit-flip', // one bit in the middle
  'garbage', // other bytes altogether
  'close', // the connection ends instead
  'flood', // the message many times over
] as const;
export type FaultKind = (typeof faultKinds)[number];

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
  set(kind: FaultKind, options?: FaultOptions): void;
  clear(): void;
  /** What is wrong with the message that is sent now. */
  next(): Fault | undefined;
};

/** Faults of one player; those that its wire cannot have are refused. */
export function createFaults(clock: Clock, possible: readonly FaultKind[] = faultKinds): Faults {
  let fault: (Fault & { untilMs: number; everyNth: number }) | undefined;
  let count = 0;
  return {
    set(kind, { ms = 2000, code = 4, forMs = Number.POSITIVE_INFINITY, everyNth = 1 } = {}) {
      if (!possible.includes(kind)) throw new Error(`Here goes wrong only: ${possible.join(', ')}; not ${kind}.`);
      fault = { kind, ms, code, untilMs: clock.now() + forMs, everyNth };
      count = 0;
    },
    clear() {
      fault = undefined;
    },
    next() {
      if (!fault || clock.now() >= fault.untilMs) return undefined;
      count += 1;
      return count % fault.everyNth === 0 ? fault : undefined;
    },
  };
}
