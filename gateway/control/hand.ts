import { type Facts, MissingFact, type Part, type Setpoint } from '../profiles/control/control-profile.ts';

/** What was done to a device so far, as its marker says. */
export type Written = {
  parts: readonly Part[];
  /** seen to hold what was written: that the device has none of these is no answer to a release */
  registers?: readonly number[];
};

/** What reaches into a device to control it. Everything it does is read back; what is not so afterwards throws. */
export type Hand = {
  /** What the sequences need of the device; from here on they use it. */
  learn(): Promise<Facts>;
  /** Takes control, without a set point yet. Returns the registers that were seen to hold it. */
  take(facts: Facts): Promise<readonly number[]>;
  set(part: Part, asked: Setpoint, facts: Facts): Promise<readonly number[]>;
  /** Throws a MissingFact when this could not be done, or not be taken back. Writes nothing. */
  rehearse(part: Part, asked: Setpoint | undefined, facts: Facts): Promise<void>;
  /**
   * Returns when the device is seen in its own mode; a part that is not keeps no other from it. What was not
   * `written` is left as it is where the device does not tell what is needed, or has no such register.
   */
  release(parts: readonly Part[], facts: Facts, written: Written): Promise<void>;
  close(): Promise<void>;
};

/** The device took the words, but does not do as they say. */
export class NotObeyed extends Error {
  override name = 'NotObeyed';
}

/** Each part for itself; the first error is told at the end. */
export async function releaseEach(
  parts: readonly Part[],
  written: Written,
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
