import { type Clock, systemClock } from '#lib/clock.ts';
import type { LineSettings } from '../links/serial-line.ts';
import { matchTelegram, telegramStart } from './ascii.ts';
import { generalCiphering, matchCiphered } from './decrypt.ts';
import { dataNotification } from './dlms.ts';
import { matchMbus, mbusStart } from './en13757.ts';
import {
  type Candidate,
  type P1Decoder,
  type P1Events,
  type P1Format,
  type P1Frame,
  type P1Keys,
  Unreadable,
} from './frame.ts';
import { hdlcFlag, matchHdlc } from './hdlc.ts';
import { MessageReader } from './message-reader.ts';
import { readTelegram } from './telegram.ts';

/** Line settings of meters, in the order in which they are tried. */
export const p1LineSettings: readonly LineSettings[] = [
  { baudRate: 2400, dataBits: 8, parity: 'none', stopBits: 1 }, // Kamstrup HAN, M-Bus customer ports of Austria
  { baudRate: 2400, dataBits: 8, parity: 'even', stopBits: 1 }, // Aidon and Kaifa HAN
  { baudRate: 9600, dataBits: 7, parity: 'even', stopBits: 1 }, // DSMR 2.2 and 3
  { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 }, // DSMR 4 and 5, and their successors
];

/** After this time without a valid frame, the format of the line is unknown again. */
const formatTimeoutMs = 30_000;

const bufferSize = 8192;
const framesToLockFormat = 2;

// Limits how many bytes are scanned without finding a frame, per received byte and in total. Noisy lines need one or two per
// byte; without a limit, malicious input could start a frame at every byte that fails only at its end.
const effortPerByte = 8;
const maxEffort = 32_768;
const effortOfFailure = 128;
const effortOfDeciphering = 2048;

const formatOfStart: (P1Format | undefined)[] = Array.from({ length: 256 });
formatOfStart[telegramStart] = formatOfStart[generalCiphering] = 'ascii';
formatOfStart[hdlcFlag] = 'hdlc';
formatOfStart[mbusStart] = 'mbus';

/** A whole frame; `isProof` if its check proves that it is one. */
type Readable = { read(): P1Frame | undefined; isProof: boolean };

const readable = <Whole>(
  found: Candidate<Whole>,
  isProof: boolean,
  read: (whole: Whole) => P1Frame | undefined,
): Candidate<Readable> => (found?.state === 'whole' ? { ...found, isProof, read: () => read(found) } : found);

/** Finds frames in the bytes of a line. A failed frame may hide a real one, so its other bytes are searched again. */
export function createP1Decoder(keys: P1Keys, events: P1Events, clock: Clock = systemClock): P1Decoder {
  const bytes = Buffer.alloc(bufferSize);
  const reader = new MessageReader(keys, events.onFailed);
  const progress = { seen: 0 };
  let begin = 0;
  let end = 0;
  let quietUntil = 0; // failures before this position were already reported
  let effort = maxEffort;
  let isBurstIntact = true; // since the last silence, no byte was dropped or part of a frame
  let lockedFormat: P1Format | undefined;
  let goodFrames = 0;
  let lastFormat: P1Format | undefined;
  let lastGoodMs = Number.NEGATIVE_INFINITY;

  const formatAt = (at: number): P1Format | undefined => formatOfStart[bytes.readUInt8(at)];

  /** Accepts, rejects or skips what starts at the first byte; false if there is nothing, or more bytes are needed. */
  function step(isSilent: boolean): boolean {
    if (begin === end) return false;
    const format = formatAt(begin);
    const candidate = format && mayLook(format) ? look(format, isSilent) : undefined;
    if (!format || !candidate) skip();
    else if (candidate.state === 'unfinished') {
      if (!isSilent) return false;
      if (candidate.isCertain) fail(format, end - begin, 'truncated');
      else skip();
    } else if (candidate.state === 'broken') fail(format, candidate.length, candidate.reason);
    else take(format, candidate);
    return true;
  }

  const mayLook = (format: P1Format): boolean => effort > 0 && (lockedFormat === undefined || lockedFormat === format);

  function look(format: P1Format, isSilent: boolean): Candidate<Readable> {
    if (format === 'hdlc') return readable(matchHdlc(bytes, begin, end), true, (frame) => reader.readHdlc(frame));
    if (format === 'mbus') return readable(matchMbus(bytes, begin, end), true, (frame) => reader.readMbus(frame));
    if (bytes[begin] === generalCiphering)
      return readable(matchCiphered(bytes, begin, end), false, ({ ciphered }) => reader.readCiphered(ciphered));
    const found = matchTelegram(bytes, begin, end, isSilent, progress);
    const isChecked = found?.state === 'whole' && found.isChecked;
    return readable(found, isChecked, ({ mark }) => readTelegram(bytes, begin, mark, isChecked));
  }

  function take(format: P1Format, found: Readable & { length: number }): void {
    try {
      if (format !== reader.pending) reader.drop('truncated by another format');
      const frame = found.read();
      advance(format === 'hdlc' ? found.length - 1 : found.length); // its last flag may start the next frame
      quietUntil = 0;
      isBurstIntact = false;
      if (frame) deliver(format, frame);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      if (found.isProof)
        effort += found.length + effortOfFailure; // a real frame is not searched again
      else if (bytes[begin] === generalCiphering) effort -= effortOfDeciphering;
      fail(format, found.length, error.message);
      if (found.isProof) advance(found.length - 2);
    }
  }

  function deliver(format: P1Format, frame: P1Frame): void {
    goodFrames = format === lastFormat ? goodFrames + 1 : 1;
    lastFormat = format;
    lastGoodMs = clock.now();
    if (goodFrames >= framesToLockFormat) lockedFormat = format;
    events.onFrame(frame);
  }

  function fail(format: P1Format, length: number, reason: string): void {
    const failed = bytes.subarray(begin, Math.min(begin + length, end));
    effort -= failed.length + effortOfFailure;
    const isQuiet = begin < quietUntil;
    if (!isQuiet) quietUntil = begin + length;
    reader.clear();
    advance(1);
    if (!isQuiet) events.onFailed({ format, bytes: Uint8Array.from(failed), reason });
  }

  /** Skips to the next possible start. Only flags may occur between the parts of a message. */
  function skip(): void {
    if (bytes[begin] !== hdlcFlag) reader.drop('truncated');
    let next = begin + 1;
    while (next < end && !formatAt(next)) next++;
    if (next > begin + 1) reader.drop('truncated');
    advance(next - begin);
  }

  function advance(count: number): void {
    begin += count;
    progress.seen = 0;
  }

  function makeRoom(): void {
    if (begin === 0) fail(formatAt(0) ?? 'ascii', end, 'too long');
    bytes.copyWithin(0, begin, end);
    end -= begin;
    quietUntil -= begin;
    begin = 0;
    isBurstIntact = false;
  }

  function reset(): void {
    begin = end = quietUntil = 0;
    isBurstIntact = false;
  }

  const mayBeBare = (): boolean => isBurstIntact && bytes[0] === dataNotification && !lastFormat;

  /** Reads DLMS without a frame, which has no check: it must be all that was received between two silences. */
  function readBare(): void {
    if (!mayBeBare()) return;
    const frame = reader.readBare(bytes.subarray(0, end));
    if (frame) events.onFrame(frame);
  }

  return {
    push(received) {
      if (clock.now() - lastGoodMs >= formatTimeoutMs) lockedFormat = lastFormat = undefined;
      for (let from = 0; from < received.length; ) {
        if (end === bufferSize) makeRoom();
        const piece = received.subarray(from, from + bufferSize - end);
        bytes.set(piece, end);
        end += piece.length;
        from += piece.length;
        effort = Math.min(effort + piece.length * effortPerByte, maxEffort);
        while (step(false));
        if (begin === end && !mayBeBare()) reset();
      }
    },
    idle() {
      while (step(true));
      reader.drop('truncated');
      readBare();
      reset();
      isBurstIntact = true;
    },
    bufferedBytes: () => end - begin,
  };
}
