import type { Asked, Facts, Part } from '../profiles/control/control-profile.ts';

/** What reaches into a device to control it. Everything it does is read back; what is not so afterwards throws. */
export type Hand = {
  /** What the sequences need of the device; from here on they use it. */
  learn(): Promise<Facts>;
  /** Takes control, without a set point yet. */
  take(facts: Facts): Promise<void>;
  set(part: Part, asked: Asked, facts: Facts): Promise<void>;
  /** Returns when the device is seen in its own mode. */
  release(parts: readonly Part[], facts: Facts): Promise<void>;
  close(): Promise<void>;
};

/** The device took the words, but does not do as they say. */
export class NotObeyed extends Error {
  override name = 'NotObeyed';
}
