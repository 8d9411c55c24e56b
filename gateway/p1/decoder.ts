import { type Clock, systemClock } from '#lib/clock.ts';
import { lookForTelegram, telegramStart } from './ascii.ts';
import { type Candidate, Unreadable } from './candidate.ts';
import { generalCiphering, lookForCiphered } from './decrypt.ts';
import { dataNotification } from './dlms.ts';
import type { P1Decoder, P1Events, P1Format, P1Frame, P1Keys } from './frame.ts';
import { hdlcFlag, lookForHdlc } from './hdlc.ts';
import { patienceMs } from './line-settings.ts';
import { lookForMbus, mbusStart } from './mbus.ts';
import { MessageReader } from './message-reader.ts';
import { readTelegram } from './telegram.ts';

const bufferSize = 8192;
const framesToKeepFormat = 2;

// Bytes that may be looked at in vain for each byte received, and what may be saved up. Lines with noise need one or
// two; without a limit, input made for it would have every byte begin a frame that fails only at its end.
const effortPerByte = 8;
const mostEffort = 32_768;
const effortOfFailure = 128;
const effortOfDeciphering = 2048;

const formatOfStart: (P1Format | undefined)[] = Array.from({ length: 256 });
formatOfStart[telegramStart] = formatOfStart[generalCiphering] = 'ascii';
formatOfStart[hdlcFlag] = 'hdlc';
formatOfStart[mbusStart] = 'mbus';

/**
 * Finds frames in the bytes of a line. Any byte may be a start; a frame counts when its own check passes, and what
 * fails is searched again from its second byte, because a false start may hide a true one.
 */
export function createP1Decoder(keys: P1Keys, events: P1Events, clock: Clock = systemClock): P1Decoder {
  const bytes = Buffer.alloc(bufferSize);
  const reader = new MessageReader(keys, events.onFailed);
  const progress = { seen: 0 };
  let begin = 0;
  let end = 0;
  let quietUntil = 0; // a failure inside one that was told is not told again
  let effort = mostEffort;
  let isBurstIntact = true; // nothing of what came since the last silence was dropped or was a frame
  let kept: P1Format | undefined;
  let goodFrames = 0;
  let lastFormat: P1Format | undefined;
  let lastGoodMs = Number.NEGATIVE_INFINITY;

  /** Takes, fails or passes over what stands at the beginning; false when there is nothing, or its rest must come first. */
  function step(isSilent: boolean): boolean {
    if (begin === end) return false;
    const format = formatOfStart[bytes[begin]!];
    const candidate = format && mayLook(format) ? look(format, isSilent) : undefined;
    if (!format || !candidate) skip();
    else if (candidate.state === 'unfinished') {
      if (!isSilent) return false;
      if (candidate.isCertain) fail(format, end - begin, 'cut off');
      else skip();
    } else if (candidate.state === 'broken') fail(format, candidate.length, candidate.reason);
    else take(format, candidate);
    return true;
  }

  const mayLook = (format: P1Format): boolean => effort > 0 && (kept === undefined || kept === format);

  type Found = Candidate<{ read(): P1Frame | undefined; isProof: boolean }>;

  function look(format: P1Format, isSilent: boolean): Found {
    if (format === 'hdlc') {
      const found = lookForHdlc(bytes, begin, end);
      return found?.state === 'whole' ? { ...found, isProof: true, read: () => reader.readHdlc(found) } : found;
    }
    if (format === 'mbus') {
      const found = lookForMbus(bytes, begin, end);
      return found?.state === 'whole' ? { ...found, isProof: true, read: () => reader.readMbus(found) } : found;
    }
    if (bytes[begin] === generalCiphering) {
      const found = lookForCiphered(bytes, begin, end);
      return found?.state === 'whole'
        ? { ...found, isProof: false, read: () => reader.readCiphered(found.ciphered) }
        : found;
    }
    const found = lookForTelegram(bytes, begin, end, isSilent, progress);
    return found?.state === 'whole'
      ? { ...found, isProof: found.isChecked, read: () => readTelegram(bytes, begin, found.mark, found.isChecked) }
      : found;
  }

  function take(format: P1Format, found: { length: number; isProof: boolean; read(): P1Frame | undefined }): void {
    try {
      if (format !== reader.pending) reader.drop('cut off by another format');
      const frame = found.read();
      advance(format === 'hdlc' ? found.length - 1 : found.length); // its last flag may be the first of the next
      quietUntil = 0;
      isBurstIntact = false;
      if (frame) deliver(format, frame);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      if (found.isProof)
        effort += found.length + effortOfFailure; // it was no false start, and is not searched again
      else if (bytes[begin] === generalCiphering) effort -= effortOfDeciphering;
      fail(format, found.length, error.message);
      if (found.isProof) advance(found.length - 2);
    }
  }

  function deliver(format: P1Format, frame: P1Frame): void {
    goodFrames = format === lastFormat ? goodFrames + 1 : 1;
    lastFormat = format;
    lastGoodMs = clock.now();
    if (goodFrames >= framesToKeepFormat) kept = format;
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

  /** Passes over what is no frame, to where one could begin. Between the parts of a message are flags at most. */
  function skip(): void {
    if (bytes[begin] !== hdlcFlag) reader.drop('cut off');
    let next = begin + 1;
    while (next < end && !formatOfStart[bytes[next]!]) next++;
    if (next > begin + 1) reader.drop('cut off');
    advance(next - begin);
  }

  function advance(count: number): void {
    begin += count;
    progress.seen = 0;
  }

  function makeRoom(): void {
    if (begin === 0) fail(formatOfStart[bytes[0]!]!, end, 'too long');
    bytes.copyWithin(0, begin, end);
    end -= begin;
    quietUntil -= begin;
    begin = 0;
    isBurstIntact = false;
  }

  function forget(): void {
    begin = end = quietUntil = 0;
    isBurstIntact = false;
  }

  const mayBeBare = (): boolean => isBurstIntact && bytes[0] === dataNotification && !lastFormat;

  /** DLMS without a frame has no check of its own: it counts when it is all there was between two silences. */
  function readBare(): void {
    if (!mayBeBare()) return;
    const frame = reader.readBare(bytes.subarray(0, end));
    if (frame) events.onFrame(frame);
  }

  return {
    push(received) {
      if (clock.now() - lastGoodMs >= patienceMs) kept = lastFormat = undefined;
      for (let from = 0; from < received.length; ) {
        if (end === bufferSize) makeRoom();
        const piece = received.subarray(from, from + bufferSize - end);
        bytes.set(piece, end);
        end += piece.length;
        from += piece.length;
        effort = Math.min(effort + piece.length * effortPerByte, mostEffort);
        while (step(false));
        if (begin === end && !mayBeBare()) forget();
      }
    },
    idle() {
      while (step(true));
      reader.drop('cut off');
      readBare();
      forget();
      isBurstIntact = true;
    },
    held: () => end - begin,
  };
}
