import { unreadable } from './candidate.ts';
import { decipher, generalCiphering, keyFaults, lookForCiphered } from './decrypt.ts';
import { dataNotification, readLength } from './dlms.ts';
import type { P1Format, P1Frame, P1Keys } from './frame.ts';
import { readPushMessage } from './push-message.ts';

const generalBlockTransfer = 0xe0;

/** The link layer control in front of the first part: E6 E7 00. */
export const hasLlc = (bytes: Uint8Array): boolean => bytes[0] === 0xe6 && bytes[1] === 0xe7 && bytes[2] === 0;

export const withoutLlc = (bytes: Uint8Array): Uint8Array => (hasLlc(bytes) ? bytes.subarray(3) : bytes);

export type Block = { number: number; isLast: boolean; data: Uint8Array };

/** E0, control (bit 7 of the last), block number (2), acknowledged number (2), length, data. */
export function readBlock(apdu: Uint8Array): Block | undefined {
  if (apdu[0] !== generalBlockTransfer) return undefined;
  const length = readLength(apdu, 6);
  const data = length && apdu.subarray(6 + length.size);
  if (!data || data.length !== length.value) throw unreadable('the length of a block does not fit');
  return { number: (apdu[2]! << 8) | apdu[3]!, isLast: (apdu[1]! & 0x80) !== 0, data };
}

export function readApdu(apdu: Uint8Array, keys: P1Keys, format: P1Format): P1Frame {
  if (apdu[0] === dataNotification) return readPushMessage(apdu, format);
  if (apdu[0] !== generalCiphering) throw unreadable(`messages of type ${apdu[0]} are not known here`);
  const found = lookForCiphered(apdu, 0, apdu.length);
  if (found?.state !== 'whole' || found.length !== apdu.length)
    throw unreadable('the length of the ciphertext does not fit');
  const { bytes, isUnverified } = decipher(found.ciphered, keys);
  if (bytes[0] !== dataNotification) throw unreadable(keyFaults.wrong);
  const frame = readPushMessage(bytes, format, Buffer.from(found.ciphered.title).toString('hex').toUpperCase());
  return isUnverified ? { ...frame, isUnverified } : frame;
}
