import type { Values } from '#contract/gateway/reading.ts';

/** The order is the number in the local API: last_failed_type. */
export const p1Formats = ['ascii', 'hdlc', 'mbus'] as const;
export type P1Format = (typeof p1Formats)[number];

/** One message of a meter that passed its own check. */
export type P1Frame = {
  format: P1Format;
  /** what the meter calls itself: behind the slash, or its id in a binary message; empty when it does not tell */
  device_id: string;
  /** the lines as received; of binary formats rendered like them */
  obis: string[];
  meter: Values;
  /** the number on the meter, where a telegram carries one beside its device_id */
  equipment_id?: string;
  /** the time the meter tells, as it tells it */
  meter_time?: string;
  /** decrypted without the means to check who wrote it */
  isUnverified?: true;
};

export type FailedFrame = { format: P1Format; bytes: Uint8Array; reason: string };

export type P1Keys = { decryptionKey?: Uint8Array; authenticationKey?: Uint8Array };

/** Takes the bytes of a line as they come, in pieces of any size. */
export type P1Decoder = {
  push(bytes: Uint8Array): void;
  /** the line is silent: what is unfinished will not be finished */
  idle(): void;
  /** how many bytes wait for their rest */
  held(): number;
};

export type P1Events = { onFrame(frame: P1Frame): void; onFailed(frame: FailedFrame): void };
