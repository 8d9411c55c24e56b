import { createP1Decoder } from '../decoder.ts';
import type { FailedFrame, P1Frame, P1Keys } from '../frame.ts';
import type { TestMeter } from './meter.ts';
import { testMeters } from './meters.ts';

// For tests: decodes bytes.

type Heard = { frames: P1Frame[]; failed: FailedFrame[] };

/** Decodes these chunks, followed by silence. */
export function decodeAll(pieces: readonly Uint8Array[], keys: P1Keys = {}): Heard {
  const heard: Heard = { frames: [], failed: [] };
  const decoder = createP1Decoder(keys, {
    onFrame: (frame) => heard.frames.push(frame),
    onFailed: (frame) => heard.failed.push(frame),
  });
  for (const piece of pieces) decoder.push(piece);
  decoder.idle();
  return heard;
}

export const withoutLines = ({ obis: _, ...frame }: P1Frame) => frame;
export const reasons = ({ failed }: Heard): string[] => failed.map(({ format, reason }) => `${format}: ${reason}`);
export const meterNamed = (name: string): TestMeter => testMeters.find((meter) => meter.name === name)!;
