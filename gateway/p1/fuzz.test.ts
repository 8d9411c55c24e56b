import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzP1 } from './testing/fuzz.ts';
import { careless, mendHdlc, mendMbus, mendTelegrams } from './testing/fuzz-careless.ts';
import { testMeters } from './testing/meters.ts';

test('damaged messages give the sent values or nothing, within the buffer limit', () => {
  const report = fuzzP1({ seed: 20_240_305, cases: 4000 });
  assert.equal(report.wrong, 0);
  assert.ok(report.frames > 2000 && report.failed > 2000, JSON.stringify(report));
  assert.ok(report.bufferPeak <= 8192, JSON.stringify(report));
});

for (const { format, mend } of [
  { format: 'ascii', mend: mendTelegrams },
  { format: 'hdlc', mend: mendHdlc },
  { format: 'mbus', mend: mendMbus },
]) {
  test(`the fuzz test detects a decoder that ignores the check of ${format}`, () => {
    const meters = testMeters.filter((meter) => meter.format === format);
    const report = fuzzP1({ seed: 1, cases: 1000, meters, createDecoder: careless(mend) });
    assert.ok(report.wrong > 10, JSON.stringify(report));
  });
}
