import { matchTelegram, telegramStart } from './ascii.ts';
import { type Ciphered, decipher, generalCiphering, keyFaults, matchCiphered } from './decrypt.ts';
import { dataNotification, readLength } from './dlms.ts';
import { type MbusFrame, readVariableData, variableData } from './en13757.ts';
import { type P1Events, type P1Format, type P1Frame, type P1Keys, Unreadable, unreadable } from './frame.ts';
import type { HdlcFrame } from './hdlc.ts';
import { readPushMessage } from './push-message.ts';
import { readTelegram } from './telegram.ts';

const keySize = 16;
const lastTransportPart = 0x1f;
const truncated = 'truncated by the next message';

/** Decodes the content of valid frames, and joins messages that are split over several frames. */
export class MessageReader {
  readonly #keys: P1Keys;
  readonly #onFailed: P1Events['onFailed'];
  readonly #segments = new MessageParts(); // HDLC segments
  readonly #blocks = new MessageParts(); // general block transfer
  readonly #transport = new MessageParts(); // DLMS over M-Bus

  constructor(keys: P1Keys, onFailed: P1Events['onFailed']) {
    for (const key of [keys.decryptionKey, keys.authenticationKey]) {
      if (key && key.length !== keySize) throw new RangeError(`A meter key has ${keySize} bytes, not ${key.length}.`);
    }
    this.#keys = keys;
    this.#onFailed = onFailed;
  }

  /** The format of an unfinished message. */
  get pending(): P1Format | undefined {
    if (this.#transport.isPending) return 'mbus';
    return this.#segments.isPending || this.#blocks.isPending ? 'hdlc' : undefined;
  }

  /** Reports an unfinished message as a failed frame. */
  drop(reason: string): void {
    const format = this.pending;
    if (format) this.#onFailed({ format, bytes: this.clear(), reason });
  }

  clear(): Uint8Array {
    return Buffer.concat([this.#transport.clear(), this.#blocks.clear(), this.#segments.clear()]);
  }

  readHdlc({ information, isSegment }: HdlcFrame): P1Frame | undefined {
    if (information.length === 0) return undefined;
    if (hasLlc(information)) this.drop(truncated);
    const message = this.#segments.add(information, { isLast: !isSegment });
    if (!message) return undefined;
    const apdu = withoutLlc(message);
    const block = readBlock(apdu);
    if (!block) return readApdu(apdu, this.#keys, 'hdlc');
    const whole = this.#blocks.add(block.data, { isLast: block.isLast, position: block.number - 1 });
    return whole && readApdu(whole, this.#keys, 'hdlc');
  }

  readMbus({ controlInformation, data }: MbusFrame): P1Frame | undefined {
    if (controlInformation === variableData) return readVariableData(data);
    if (controlInformation > lastTransportPart) throw unreadable(`message type ${controlInformation} is unknown`);
    const part = data.subarray(2); // after source and destination
    const position = controlInformation & 0xf;
    if (position === 0) this.drop(truncated);
    const apdu = this.#transport.add(part, { isLast: (controlInformation & 0x10) !== 0, position });
    return apdu && readApdu(apdu, this.#keys, 'mbus');
  }

  /** Reads an encrypted telegram (Luxembourg), or encrypted DLMS without a frame. */
  readCiphered(ciphered: Ciphered): P1Frame {
    const { bytes, isUnverified } = decipher(ciphered, this.#keys);
    if (bytes[0] === dataNotification && !isUnverified) return readPushMessage(bytes, 'hdlc', '');
    const found = bytes[0] === telegramStart ? matchTelegram(bytes, 0, bytes.length, true, { seen: 0 }) : undefined;
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

const generalBlockTransfer = 0xe0;

/** Returns whether the link layer control E6 E7 00 precedes the message. */
const hasLlc = (bytes: Uint8Array): boolean => bytes[0] === 0xe6 && bytes[1] === 0xe7 && bytes[2] === 0;

const withoutLlc = (bytes: Uint8Array): Uint8Array => (hasLlc(bytes) ? bytes.subarray(3) : bytes);

/** Reads E0, control (bit 7: last block), block number (2), acknowledged number (2), length, data. */
function readBlock(apdu: Uint8Array): { number: number; isLast: boolean; data: Uint8Array } | undefined {
  if (apdu[0] !== generalBlockTransfer) return undefined;
  const length = readLength(apdu, 6);
  const data = length && apdu.subarray(6 + length.size);
  if (!data || data.length !== length.value) throw unreadable('the length of a block is wrong');
  const view = new DataView(apdu.buffer, apdu.byteOffset);
  return { number: view.getUint16(2), isLast: (view.getUint8(1) & 0x80) !== 0, data };
}

function readApdu(apdu: Uint8Array, keys: P1Keys, format: P1Format): P1Frame {
  if (apdu[0] === dataNotification) return readPushMessage(apdu, format);
  if (apdu[0] !== generalCiphering) throw unreadable(`message type ${apdu[0]} is unknown`);
  const found = matchCiphered(apdu, 0, apdu.length);
  if (found?.state !== 'whole' || found.length !== apdu.length)
    throw unreadable('the length of the ciphertext is wrong');
  const { bytes, isUnverified } = decipher(found.ciphered, keys);
  if (bytes[0] !== dataNotification) throw unreadable(keyFaults.wrong);
  const frame = readPushMessage(bytes, format, Buffer.from(found.ciphered.title).toString('hex').toUpperCase());
  return isUnverified ? { ...frame, isUnverified } : frame;
}

const maxMessageSize = 8192;

/** Joins the parts of a message that is split over several frames. */
class MessageParts {
  #parts: Uint8Array[] = [];
  #size = 0;

  get isPending(): boolean {
    return this.#parts.length > 0;
  }

  /** Adds a part; returns the whole message with the last one. `position` counts from 0, if the meter numbers its parts. */
  add(part: Uint8Array, { isLast, position }: { isLast: boolean; position?: number }): Uint8Array | undefined {
    if (position !== undefined && position !== this.#parts.length) {
      this.clear();
      throw unreadable('a part is missing');
    }
    this.#size += part.length;
    if (this.#size > maxMessageSize) {
      this.clear();
      throw unreadable('too long');
    }
    if (isLast && this.#parts.length === 0) {
      this.#size = 0;
      return part;
    }
    this.#parts.push(Uint8Array.from(part));
    return isLast ? this.clear() : undefined;
  }

  /** Removes and returns all parts. */
  clear(): Uint8Array {
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return whole;
  }
}
