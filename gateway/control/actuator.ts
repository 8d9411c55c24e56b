import { type Facts, MissingFact, type Part, type Setpoint } from '../profiles/control/control-profile.ts';

/** The writes to a device so far, as recorded in its marker. */
export type WriteRecord = {
  parts: readonly Part[];
  /** registers that held the written value when read back; a release must not accept "no such register" for these */
  registers?: readonly number[];
};

/** Writes to a device to control it, reads every write back, and throws when the device does not hold it. */
export type Actuator = {
  /** Reads the values that the control sequences need. The caller passes them to the other methods. */
  learn(): Promise<Facts>;
  /** Takes control, without a setpoint yet. Returns the registers that held the written value when read back. */
  take(facts: Facts): Promise<readonly number[]>;
  set(part: Part, setpoint: Setpoint, facts: Facts): Promise<readonly number[]>;
  /** Throws a MissingFact when the sequence to set or to release the part cannot be computed. Writes nothing. */
  dryRun(part: Part, setpoint: Setpoint | undefined, facts: Facts): Promise<void>;
  /** Returns all parts to their own mode. Skips unwritten ones whose facts or registers are missing. */
  release(parts: readonly Part[], facts: Facts, written: WriteRecord): Promise<void>;
  close(): Promise<void>;
  /** true once its connection has ended; the device then needs another actuator */
  readonly isLost?: boolean;
};

/** The device accepted a write but does not act on it. */
export class NotObeyed extends Error {
  override name = 'NotObeyed';
}

export function sequenceOf<Sequence>(
  control: { profile: string } & Partial<Record<Part, Sequence>>,
  part: Part,
): Sequence {
  const sequence = control[part];
  if (!sequence) throw new Error(`${control.profile} has no control of ${part}.`);
  return sequence;
}

/** Releases every part, then throws the first error. */
export async function releaseEach(
  parts: readonly Part[],
  written: WriteRecord,
  release: (part: Part) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts) {
    try {
      await release(part);
    } catch (error) {
      if (written.parts.includes(part) || !(error instanceof MissingFact)) errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

export const retryMs = 1000;

const maxQuickRetries = 60;
const slowRetryMs = 10 * retryMs;

/** Returns the pause after this many failed releases. It grows because every attempt wears the device's memory. */
export const releaseRetryMs = (failures: number): number => (failures < maxQuickRetries ? retryMs : slowRetryMs);

export const releaseFailed = 'failed to release the device; retrying until it succeeds';
