import type { Values } from '#contract/gateway/reading.ts';

/** The index is `last_failed_type` in the local API. */
export const p1Formats = ['ascii', 'hdlc', 'mbus'] as const;
export type P1Format = (typeof p1Formats)[number];

/** A message of a meter that passed its check. */
export type P1Frame = {
  format: P1Format;
  /** the header of a telegram, or the id in a binary message; empty without an id */
  device_id: string;
  /** the received lines; binary formats are rendered in the same form */
  obis: string[];
  meter: Values;
  /** the serial number of the meter, if a telegram has one in addition to its device_id */
  equipment_id?: string;
  /** the time of the meter, in its own notation */
  meter_time?: string;
  /** decrypted, but not authenticated */
  isUnverified?: true;
};

export type FailedFrame = { format: P1Format; bytes: Uint8Array; reason: string };

export type P1Keys = { decryptionKey?: Uint8Array | undefined; authenticationKey?: Uint8Array | undefined };

/** Decodes the bytes of a serial line, in chunks of any size. */
export type P1Decoder = {
  push(bytes: Uint8Array): void;
  /** Ends a burst: the line is silent, so unfinished frames will not be completed. */
  idle(): void;
  /** Returns the number of bytes of unfinished frames. */
  bufferedBytes(): number;
};

export type P1Events = { onFrame(frame: P1Frame): void; onFailed(frame: FailedFrame): void };

/** The result of matching a frame at a position of the stream; undefined if no frame starts there. */
export type Candidate<Whole> = undefined | Unfinished | Broken | ({ state: 'whole'; length: number } & Whole);

/** Certain once the header is recognised: silence then means a truncated frame, before that only noise. */
type Unfinished = { state: 'unfinished'; isCertain: boolean };

type Broken = { state: 'broken'; length: number; reason: string };

export const possible: Unfinished = { state: 'unfinished', isCertain: false };
export const begun: Unfinished = { state: 'unfinished', isCertain: true };

export const broken = (length: number, reason: string): Broken => ({ state: 'broken', length, reason });

/** Thrown when a frame passed its check but its content cannot be decoded. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

const errors = new Map<string, Unreadable>();

/** Returns a shared error for each reason, because capturing a stack costs more than decoding a frame. */
export function unreadable(reason: string): Unreadable {
  const error = errors.get(reason) ?? new Unreadable(reason);
  errors.set(reason, error);
  return error;
}
