import { keyFaults } from './decrypt.ts';

const adviceOf: Record<string, string> = {
  [keyFaults.missing]: 'Give the device the decryption_key that you have from the grid company.',
  [keyFaults.wrong]: 'Compare decryption_key with what the grid company gave you.',
  [keyFaults.tag]: 'Compare decryption_key and authentication_key with what the grid company gave you.',
};

/** What came on the line of a meter while none of its telegrams was good. */
export class Heard {
  private isSilent = true;
  private failure: string | undefined;
  private keyFault: string | undefined;

  onBytes(): void {
    this.isSilent = false;
  }

  onFailed({ reason }: { reason: string }): void {
    this.failure = reason;
    if (reason in adviceOf) this.keyFault = reason;
  }

  /** With other settings of the line such a telegram would not be read either. */
  get isEncrypted(): boolean {
    return this.keyFault !== undefined;
  }

  /** Why there is no meter: silence, noise, or a telegram that cannot be read. */
  tell(port: string, seconds: number): string {
    const { isSilent, failure, keyFault } = this;
    if (isSilent)
      return `Nothing came on ${port} within ${seconds} s. Is the port of the meter switched on, and the cable plugged in?`;
    if (keyFault) return `A telegram came on ${port} that cannot be read: ${keyFault}. ${adviceOf[keyFault]}`;
    const why = failure ? `What looked like one could not be read: ${failure}. ` : '';
    return (
      `Only noise came on ${port} within ${seconds} s, and no telegram of a meter. ${why}` +
      'Does the cable invert the signal, and does the line have the speed of the meter?'
    );
  }
}
