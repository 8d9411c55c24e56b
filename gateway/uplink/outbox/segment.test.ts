import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFooter, encodeSample, linesOf, type Sample, timeOf, withSeq } from './segment.ts';

const sampleOf = (seq: number): Sample => ({
  seq,
  source: 'INV-1/pv',
  json: withSeq(JSON.stringify({ type: 'pv', timestamp: 1_780_000_000_000 + seq, make: 'Sön"seq":7', W: -5 }), seq),
});
const samples = [sampleOf(5), sampleOf(6), sampleOf(9_007_199_254_740_991)];
const footer = { waiting: [[5, 6] as [number, number]], from: 1, to: 2 };
const file = Buffer.from(samples.map(encodeSample).join('') + encodeFooter(footer));

test('written lines are read back', () => {
  const lines = [...linesOf(file)];
  assert.deepEqual(
    lines.map(({ sample }) => sample),
    [...samples, undefined],
  );
  assert.deepEqual(lines[3]!.footer, footer);
  assert.equal(lines[3]!.end, file.length);
  assert.equal(timeOf(samples[0]!), 1_780_000_000_005);
});

test('a flipped bit never creates a sample and costs at most two', () => {
  const good = new Set(samples.map((sample) => JSON.stringify(sample)));
  for (let bit = 0; bit < file.length * 8; bit++) {
    const bytes = Buffer.from(file);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    const found = [...linesOf(bytes)].flatMap(({ sample }) => (sample ? [JSON.stringify(sample)] : []));
    assert.ok(found.length >= 1, `bit ${bit}`);
    assert.ok(
      found.every((sample) => good.has(sample)),
      `bit ${bit}`,
    );
  }
});

test('a truncated file yields its complete lines', () => {
  for (let end = 0; end < file.length; end++) {
    const bytes = file.subarray(0, end);
    const whole = bytes.toString().split('\n').length - 1;
    assert.equal([...linesOf(bytes)].filter(({ isDamaged }) => !isDamaged).length, whole);
  }
});
