import { setTimeout } from 'node:timers/promises';
import type { Fault } from './faults.ts';

export type Wire = { write(bytes: Buffer): void; close(): void };

const floodCopies = 200;

/** Sends a message with what is wrong with it. Faults of the content have been applied before. */
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
      return wire.write(spoilt(message, fault));
  }
}

/** The message as it is after a fault that changes its bytes. */
export function spoilt(message: Buffer, fault: Fault | undefined): Buffer {
  switch (fault?.kind) {
    case 'cut-frame':
      return message.subarray(0, Math.ceil(message.length / 2));
    case 'bit-flip': {
      const flipped = Buffer.from(message);
      const middle = message.length >> 1;
      flipped[middle]! ^= 0x04;
      return flipped;
    }
    case 'garbage':
      return Buffer.from(message.map((byte, index) => byte ^ (0x5a + index * 37)));
    default:
      return message;
  }
}
