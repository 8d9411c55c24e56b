import { keyFaults } from './decrypt.ts';

const adviceOf: Record<string, string> = {
  [keyFaults.missing]: 'Set the decryption_key of the device, which the grid company provides.',
  [keyFaults.wrong]: 'Compare decryption_key with the key from the grid company.',
  [keyFaults.tag]: 'Compare decryption_key and authentication_key with the keys from the grid company.',
};

/** Collects why no telegram of a meter could be read. */
export class LineDiagnosis {
  #isSilent = true;
  #failure: string | undefined;
  #keyFault: string | undefined;
  #isEmpty = false;

  onBytes(): void {
    this.#isSilent = false;
  }

  onFailed({ reason }: { reason: string }): void {
    this.#failure = reason;
    if (reason in adviceOf) this.#keyFault = reason;
  }

  /** Notes a telegram without values of an electricity meter. */
  onEmpty(): void {
    this.#isEmpty = true;
  }

  /** True if a telegram was received that other line settings would not make readable. */
  get hasTelegram(): boolean {
    return this.#keyFault !== undefined || this.#isEmpty;
  }

  /** Explains why no meter was found: silence, noise, or an unreadable telegram. */
  describe(port: string, seconds: number): string {
    const [failure, keyFault] = [this.#failure, this.#keyFault];
    if (this.#isSilent)
      return `No data was received on ${port} within ${seconds} s. Is the port of the meter enabled, and the cable plugged in?`;
    if (keyFault) return `A telegram on ${port} cannot be read: ${keyFault}. ${adviceOf[keyFault]}`;
    if (this.#isEmpty)
      return `The telegrams on ${port} contain no values of electricity. Is the meter one of gas, water or heat?`;
    const why = failure ? `The last candidate could not be read: ${failure}. ` : '';
    return (
      `Only noise was received on ${port} within ${seconds} s, and no telegram. ${why}` +
      'Does the cable invert the signal, and does the baud rate match the meter?'
    );
  }
}
