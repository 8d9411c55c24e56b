import { createP1Decoder } from '../decoder.ts';
import type { P1Decoder, P1Events, P1Format, P1Frame, P1Keys } from '../frame.ts';
import { meterKey } from './frames.ts';
import { createRandom, damage, type Random } from './fuzz-damage.ts';
import { excuseFor } from './fuzz-oracle.ts';
import type { TestMeter } from './meter.ts';
import { testMeters } from './meters.ts';

// For tests: damaged messages of all meters must give the sent values or nothing.

export type FuzzReport = {
  cases: number;
  frames: number;
  failed: number;
  /** frames that no meter sent and that fail their check */
  wrong: number;
  /** frames that no meter sent but whose check passes by chance: the sum of M-Bus has 8 bits, a CRC 16 */
  byChance: Record<P1Format, number>;
  /** frames that no meter sent, in formats without a check */
  unchecked: number;
  slowestMs: number;
  bufferPeak: number;
};

export type CreateDecoder = (keys: P1Keys, events: P1Events) => P1Decoder;

export type FuzzOptions = {
  seed: number;
  cases: number;
  onProgress?: (done: number, report: FuzzReport) => void;
  createDecoder?: CreateDecoder;
  /** default: all test meters */
  meters?: readonly TestMeter[];
};

const keys: P1Keys = { decryptionKey: meterKey };
const progressEvery = 10_000;
const suspiciousMs = 0.5;

const signature = ({ format, device_id, meter }: Pick<P1Frame, 'format' | 'device_id'> & { meter: object }): string =>
  JSON.stringify([format, device_id, Object.entries(meter).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
const sent = new Set(testMeters.map(signature));

export function fuzzP1({
  seed,
  cases,
  onProgress,
  createDecoder = createP1Decoder,
  meters = testMeters,
}: FuzzOptions): FuzzReport {
  const random = createRandom(seed);
  const report: FuzzReport = {
    cases,
    frames: 0,
    failed: 0,
    wrong: 0,
    byChance: { ascii: 0, hdlc: 0, mbus: 0 },
    unchecked: 0,
    slowestMs: 0,
    bufferPeak: 0,
  };
  const count = (stream: Buffer, frame: P1Frame): void => {
    if (sent.has(signature(frame))) return;
    const excuse = excuseFor(stream, frame);
    if (excuse === 'passes its check') report.byChance[frame.format]++;
    else if (excuse === 'has no check') report.unchecked++;
    else report.wrong++;
  };

  warmUp(createDecoder, meters);
  for (let done = 0; done < cases; done++) {
    const stream = damage(someMessages(random, meters), random);
    const pieces = inPieces(stream, random);
    const played = play(pieces, createDecoder);
    report.frames += played.frames.length;
    report.failed += played.failed;
    report.bufferPeak = Math.max(report.bufferPeak, played.held);
    for (const frame of played.frames) count(stream, frame);
    report.slowestMs = Math.max(report.slowestMs, slowestOf(pieces, played.slowestMs, createDecoder));
    if (done % progressEvery === 0) onProgress?.(done, report);
  }
  return report;
}

/** Warms up, so that no case is timed before the code is compiled. */
function warmUp(createDecoder: CreateDecoder, meters: readonly TestMeter[]): void {
  const random = createRandom(0);
  for (let times = 0; times < 500; times++) play([damage(someMessages(random, meters), random)], createDecoder);
}

function someMessages(random: Random, meters: readonly TestMeter[]): Buffer {
  const count = 1 + random.below(3);
  return Buffer.concat(Array.from({ length: count }, () => meters[random.below(meters.length)]!.bytes));
}

function inPieces(stream: Buffer, random: Random): Buffer[] {
  const pieces: Buffer[] = [];
  const most = [16, 300, 10_000][random.below(3)]!;
  for (let at = 0; at < stream.length; ) {
    const size = 1 + random.below(most);
    pieces.push(stream.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

type Played = { frames: P1Frame[]; failed: number; slowestMs: number; held: number };

function play(pieces: readonly Buffer[], createDecoder: CreateDecoder): Played {
  const played: Played = { frames: [], failed: 0, slowestMs: 0, held: 0 };
  const decoder = createDecoder(keys, {
    onFrame: (frame) => played.frames.push(frame),
    onFailed: () => played.failed++,
  });
  const timed = (work: () => void): void => {
    const began = performance.now();
    work();
    played.slowestMs = Math.max(played.slowestMs, performance.now() - began);
  };
  for (const piece of pieces) {
    timed(() => decoder.push(piece));
    played.held = Math.max(played.held, decoder.bufferedBytes());
  }
  timed(() => decoder.idle());
  return played;
}

/** Repeats slow cases: a pause of the machine does not recur, a slow path does. */
function slowestOf(pieces: readonly Buffer[], firstMs: number, createDecoder: CreateDecoder): number {
  let slowestMs = firstMs;
  for (let again = 0; again < 5 && slowestMs > suspiciousMs; again++) {
    slowestMs = Math.min(slowestMs, play(pieces, createDecoder).slowestMs);
  }
  return slowestMs;
}
