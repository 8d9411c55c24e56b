import { LinkError } from '../link-error.ts';

export type RegisterTable = 'holding' | 'input';

export const functionCodeOf = { holding: 3, input: 4 } as const satisfies Record<RegisterTable, number>;

/** Reads registers. Throws a ModbusException when the device refuses, a LinkError without a valid answer. */
export type ReadRegisters = (table: RegisterTable, address: number, count: number) => Promise<readonly number[]>;

/** One unit on a bus, that is a TCP endpoint or a serial line. A bus sends the requests of all its units one by one. */
export type ModbusUnit = {
  read: ReadRegisters;
  /** reads ahead of queued reads */
  readUrgently: ReadRegisters;
  /** function code 6; urgent, and checked against the echo of the device */
  write(address: number, value: number): Promise<void>;
  /** function code 16 */
  writeMany(address: number, values: readonly number[]): Promise<void>;
  /** function code 43/14 */
  identify(): Promise<{ vendor?: string }>;
};

const meanings: Record<number, string> = {
  1: 'illegal function',
  2: 'illegal data address',
  3: 'illegal data value',
  4: 'device failure',
  5: 'acknowledged, still working',
  6: 'device busy',
  8: 'memory parity error',
  10: 'gateway path unavailable',
  11: 'gateway target did not respond',
};

export class ModbusException extends Error {
  override name = 'ModbusException';
  readonly code: number;

  constructor(code: number) {
    super(`The device answers with exception ${code} (${meanings[code] ?? 'unknown'}).`);
    this.code = code;
  }
}

export class Unanswered extends LinkError {}

/** Too many requests wait for this bus. */
export class LinkBusy extends LinkError {}
