export const exceptionCodes = {
  'illegal function': 1,
  'illegal address': 2,
  'illegal value': 3,
  'target does not answer': 11,
} as const;

/** A request that the device answers with an exception. */
export class ModbusException extends Error {
  readonly code: number;

  constructor(reason: keyof typeof exceptionCodes) {
    super(reason);
    this.code = exceptionCodes[reason];
  }
}
