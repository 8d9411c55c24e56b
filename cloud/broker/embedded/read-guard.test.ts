import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { startOfPackets } from './connection.ts';
import { passPackets } from './read-guard.ts';

function packet(length: number): Buffer {
  const digits: number[] = [];
  for (let rest = length; digits.length === 0 || rest > 0; rest = Math.floor(rest / 128)) {
    digits.push((rest % 128) + (rest >= 128 ? 128 : 0));
  }
  return Buffer.concat([Buffer.from([0x30, ...digits]), Buffer.alloc(length, 0xff)]);
}

test('a packet over the limit is noticed, wherever the stream is cut', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 10 });
  const cuts = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(lengths, cuts, fc.integer({ min: 100, max: 20_000 }), (lengths, cuts, limit) => {
      const stream = Buffer.concat(lengths.map(packet));
      const cursor = startOfPackets();
      let isWithin = true;
      for (let at = 0, cut = 0; at < stream.length && isWithin; cut++) {
        const size = cuts[cut % cuts.length]!;
        isWithin = passPackets(cursor, stream.subarray(at, at + size), limit);
        at += size;
      }
      assert.equal(
        isWithin,
        lengths.every((length) => length <= limit),
      );
    }),
  );
});

test('a length of five bytes is invalid', () => {
  assert.equal(passPackets(startOfPackets(), Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80]), 1e9), false);
});
