import { hasLlc, readApdu, readBlock, withoutLlc } from './apdu.ts';
import { lookForTelegram, telegramStart } from './ascii.ts';
import { Unreadable, unreadable } from './candidate.ts';
import { type Ciphered, decipher, keyFaults } from './decrypt.ts';
import { dataNotification } from './dlms.ts';
import { readVariableData, variableData } from './en13757.ts';
import type { P1Events, P1Format, P1Frame, P1Keys } from './frame.ts';
import type { HdlcFrame } from './hdlc.ts';
import type { MbusFrame } from './mbus.ts';
import { MessageParts } from './message-parts.ts';
import { readPushMessage } from './push-message.ts';
import { readTelegram } from './telegram.ts';

const keySize = 16;
const lastTransportPart = 0x1f;
const cutOff = 'cut off by the next message';

/** Reads the contents of frames whose check passed, and joins those that come in parts. */
export class MessageReader {
  private readonly keys: P1Keys;
  private readonly onFailed: P1Events['onFailed'];
  private readonly segments = new MessageParts(); // of HDLC
  private readonly blocks = new MessageParts(); // of general block transfer
  private readonly transport = new MessageParts(); // of DLMS over M-Bus

  constructor(keys: P1Keys, onFailed: P1Events['onFailed']) {
    for (const key of [keys.decryptionKey, keys.authenticationKey]) {
      if (key && key.length !== keySize)
        throw new RangeError(`A key of a meter has ${keySize} bytes, not ${key.length}.`);
    }
    this.keys = keys;
    this.onFailed = onFailed;
  }

  /** Whose parts are waiting for their rest. */
  get pending(): P1Format | undefined {
    if (this.transport.isPending) return 'mbus';
    return this.segments.isPending || this.blocks.isPending ? 'hdlc' : undefined;
  }

  /** Parts whose rest will not come are a failed frame. */
  drop(reason: string): void {
    const format = this.pending;
    if (format) this.onFailed({ format, bytes: this.clear(), reason });
  }

  clear(): Uint8Array {
    return Buffer.concat([this.transport.clear(), this.blocks.clear(), this.segments.clear()]);
  }

  readHdlc({ information, isSegment }: HdlcFrame): P1Frame | undefined {
    if (information.length === 0) return undefined;
    if (hasLlc(information)) this.drop(cutOff);
    const message = this.segments.add(information, { isLast: !isSegment });
    if (!message) return undefined;
    const apdu = withoutLlc(message);
    const block = readBlock(apdu);
    if (!block) return readApdu(apdu, this.keys, 'hdlc');
    const whole = this.blocks.add(block.data, { isLast: block.isLast, position: block.number - 1 });
    return whole && readApdu(whole, this.keys, 'hdlc');
  }

  readMbus({ controlInformation, data }: MbusFrame): P1Frame | undefined {
    if (controlInformation === variableData) return readVariableData(data);
    if (controlInformation > lastTransportPart)
      throw unreadable(`messages of type ${controlInformation} are not known here`);
    const part = data.subarray(2); // behind the source and the destination
    const position = controlInformation & 0xf;
    if (position === 0) this.drop(cutOff);
    const apdu = this.transport.add(part, { isLast: (controlInformation & 0x10) !== 0, position });
    return apdu && readApdu(apdu, this.keys, 'mbus');
  }

  /** Luxembourg encrypts whole telegrams; other meters send DLMS so without a frame. */
  readCiphered(ciphered: Ciphered): P1Frame {
    const { bytes, isUnverified } = decipher(ciphered, this.keys);
    if (bytes[0] === dataNotification && !isUnverified) return readPushMessage(bytes, 'hdlc', '');
    const found = bytes[0] === telegramStart ? lookForTelegram(bytes, 0, bytes.length, true, { seen: 0 }) : undefined;
    if (found?.state === 'broken') throw unreadable(found.reason);
    if (found?.state !== 'whole' || !found.isChecked) throw unreadable(keyFaults.wrong);
    const frame = readTelegram(bytes, 0, found.mark, true);
    return isUnverified ? { ...frame, isUnverified } : frame;
  }

  readBare(apdu: Uint8Array): P1Frame | undefined {
    try {
      return readPushMessage(apdu, 'hdlc');
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }
}
