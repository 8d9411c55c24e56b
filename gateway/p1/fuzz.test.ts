import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createP1Decoder } from './decoder.ts';
import type { P1Decoder, P1Events, P1Keys } from './frame.ts';
import { fuzzP1 } from './fuzz.ts';
import { telegramCrcOf } from './test-frames.ts';

test('thousands of damaged messages give what was sent or nothing, in little time and memory', () => {
  const report = fuzzP1({ seed: 20_240_305, cases: 4000 });
  assert.equal(report.wrong, 0);
  assert.ok(report.frames > 2000 && report.failed > 2000, JSON.stringify(report));
  assert.ok(report.bufferPeak <= 8192, JSON.stringify(report));
});

test('a decoder that does not check the CRC would be found out', () => {
  const report = fuzzP1({ seed: 1, cases: 1000, createDecoder: createCarelessDecoder });
  assert.ok(report.wrong > 10, JSON.stringify(report));
});

/** Writes the right CRC behind every telegram before it is looked at. */
function createCarelessDecoder(keys: P1Keys, events: P1Events): P1Decoder {
  const decoder = createP1Decoder(keys, events);
  const pieces: Uint8Array[] = [];
  return {
    push(bytes) {
      pieces.push(bytes);
    },
    idle() {
      const stream = Buffer.concat(pieces.splice(0));
      for (let mark = stream.indexOf('\n!'); mark >= 0; mark = stream.indexOf('\n!', mark + 2)) {
        const covered = stream.subarray(stream.lastIndexOf('/', mark), mark + 2);
        const digits = telegramCrcOf(covered).toString(16).padStart(4, '0');
        stream.write(digits, mark + 2, 'latin1');
      }
      decoder.push(stream);
      decoder.idle();
    },
    held: () => decoder.held(),
  };
}
