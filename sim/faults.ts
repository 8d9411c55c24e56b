import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type FaultKind, faultKinds } from '#contract/simulation.ts';
import type { Clock } from '#lib/clock.ts';

export { type FaultKind, faultKinds } from '#contract/simulation.ts';

export type FaultOptions = {
  /** delay of `late` */
  ms?: number;
  /** code of `exception` */
  code?: number;
  /** the fault ends after this time */
  forMs?: number;
  /** only every nth message is faulty */
  everyNth?: number;
};
export type Fault = { kind: FaultKind; ms: number; code: number };

export type Faults = ReturnType<typeof createFaults>;

/** Manages the faults of one device; rejects faults that its connection does not support. */
export function createFaults(clock: Clock, possible: readonly FaultKind[] = faultKinds) {
  let fault: (Fault & { untilMs: number; everyNth: number }) | undefined;
  let count = 0;
  const active = () => (fault && clock.now() < fault.untilMs ? fault : undefined);
  return {
    possible,
    current: () => active()?.kind,
    set(kind: FaultKind, options: FaultOptions = {}): void {
      const { ms = 2000, code = 4, forMs = Number.POSITIVE_INFINITY, everyNth = 1 } = options;
      if (!possible.includes(kind))
        throw new Error(`Fault ${kind} is not supported here; choose one of ${possible.join(', ')}.`);
      fault = { kind, ms, code, untilMs: clock.now() + forMs, everyNth };
      count = 0;
    },
    clear(): void {
      fault = undefined;
    },
    /** Returns the fault of the message that is sent now. */
    next(): Fault | undefined {
      const now = active();
      if (!now) return undefined;
      count += 1;
      return count % now.everyNth === 0 ? now : undefined;
    },
  };
}

export type Wire = { write(bytes: Buffer): void; close(): void };

export const wireOf = (stream: Writable): Wire => ({
  write: (bytes) => void (stream.writable && stream.write(bytes)),
  close: () => stream.destroy(),
});

const floodCopies = 200;

/** Sends a message with its fault. Faults of the content were applied before. */
export async function deliver(message: Buffer, fault: Fault | undefined, wire: Wire): Promise<void> {
  switch (fault?.kind) {
    case 'silence':
      return;
    case 'late':
      await setTimeout(fault.ms, undefined, { ref: false });
      return wire.write(message);
    case 'close':
      return wire.close();
    case 'flood':
      for (let copy = 0; copy < floodCopies; copy += 1) wire.write(message);
      return;
    default:
      return wire.write(corrupt(message, fault));
  }
}

/** Applies a fault that changes the bytes of a message. */
function corrupt(message: Buffer, fault: Fault | undefined): Buffer {
  switch (fault?.kind) {
    case 'cut-frame':
      return message.subarray(0, Math.ceil(message.length / 2));
    case 'bit-flip': {
      const middle = message.length >> 1;
      return Buffer.from(message.map((byte, index) => (index === middle ? byte ^ 0x04 : byte)));
    }
    case 'garbage':
      return Buffer.from(message.map((byte, index) => byte ^ (0x5a + index * 37)));
    default:
      return message;
  }
}
