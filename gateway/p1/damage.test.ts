import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { someOf } from '#test/amount.ts';
import { createP1Decoder } from './decoder.ts';
import type { P1Frame } from './frame.ts';
import { expectedOf, type TestMeter } from './testing/meter.ts';
import { testMeters } from './testing/meters.ts';

const inserted = [0x00, 0x16, 0x21, 0x2f, 0x30, 0x68, 0x7e, 0xff];

/** Yields the message with one bit flipped, one byte lost, or one byte inserted, at every position. */
function* damagedOnce(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << bit;
      yield flipped;
    }
    yield Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    for (const byte of inserted) yield Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at)]);
  }
}

function framesOf(bytes: Buffer, { keys = {} }: TestMeter): P1Frame[] {
  const frames: P1Frame[] = [];
  const decoder = createP1Decoder(keys, { onFrame: (frame) => frames.push(frame), onFailed: () => {} });
  decoder.push(bytes);
  decoder.idle();
  assert.equal(decoder.bufferedBytes(), 0);
  return frames;
}

// A CRC detects every flipped bit. It misses one in 65536 lost or inserted bytes, but none of these.
suite('a single wrong bit or byte never gives a wrong value', () => {
  for (const meter of testMeters.filter(({ isUnchecked }) => !isUnchecked)) {
    test(`of ${meter.name}`, () => {
      const { isUnverified: _, ...expected } = expectedOf(meter);
      for (const damaged of someOf(damagedOnce(meter.bytes))) {
        const frames = framesOf(damaged, meter);
        assert.ok(frames.length <= 1);
        for (const { obis: _, isUnverified: __, ...frame } of frames)
          assert.deepEqual(frame, expected, damaged.toString('hex'));
      }
    });
  }
});

// DSMR 2.2 and 3, EasyMeter and DLMS without a frame have no check, so a wrong digit cannot be detected.
suite('without a check, a damaged message gives at most one frame', () => {
  for (const meter of testMeters.filter(({ isUnchecked }) => isUnchecked)) {
    test(`of ${meter.name}`, () => {
      for (const damaged of someOf(damagedOnce(meter.bytes))) assert.ok(framesOf(damaged, meter).length <= 1);
    });
  }
});
