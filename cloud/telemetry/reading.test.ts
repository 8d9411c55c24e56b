import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boundsOf } from '#contract/telemetry.ts';
import { amount } from '#test/amount.ts';
import { parseReading } from './reading.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const parse = (text: string | Buffer) => parseReading(Buffer.from(text), now);

for (const { says, text, reason } of [
  { says: 'no JSON', text: 'W=5', reason: 'malformed' },
  { says: 'a list', text: '[1]', reason: 'malformed' },
  { says: 'null', text: 'null', reason: 'malformed' },
  { says: 'a nested object', text: '{"W":{"x":1}}', reason: 'malformed' },
  { says: 'a prototype', text: '{"__proto__":{"W":1}}', reason: 'malformed' },
  { says: 'bytes that are not text', text: Buffer.from([0x7b, 0xff, 0x7d]), reason: 'malformed' },
  { says: 'a list of texts', text: '{"lower_limit_W":["a"]}', reason: 'malformed' },
  {
    says: 'a hundred and one fields',
    text: JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, i]))),
    reason: 'malformed',
  },
  { says: 'an infinite number', text: '{"W":1e999}', reason: 'not_finite' },
  { says: 'a charge above full', text: '{"SoC_nom_fract":4.2}', reason: 'out_of_range' },
  { says: 'a negative counter', text: '{"total_import_Wh":-1}', reason: 'out_of_range' },
  { says: 'a frequency of radio', text: '{"Hz":100000}', reason: 'out_of_range' },
  { says: 'seventeen kilobytes', text: JSON.stringify({ make: 'x'.repeat(17 * 1024) }), reason: 'too_large' },
]) {
  test(`${says} is refused as ${reason}`, () => {
    assert.equal((parse(text) as { reason: string }).reason, reason);
  });
}

test('a message that is too large is refused with its number, so that its gateway does not send it again', () => {
  assert.deepEqual(parse(JSON.stringify({ make: 'x'.repeat(17 * 1024), seq: 7 })), { reason: 'too_large', seq: 7 });
});

for (const { says, timestamp, at } of [
  { says: 'milliseconds', timestamp: now - 5000, at: now - 5000 },
  { says: 'seconds', timestamp: (now - 5000) / 1000, at: now - 5000 },
  { says: 'seconds with a fraction', timestamp: (now - 4750) / 1000, at: now - 4750 },
  { says: 'seconds with a long fraction', timestamp: now / 1000 - 4.7498766, at: now - 4750 },
  { says: 'RFC 3339', timestamp: '2026-06-01T13:59:55+02:00', at: now - 5000 },
  { says: 'nothing at all', timestamp: undefined, at: now },
  { says: 'more than a day ahead', timestamp: now + 86_400_001, at: now },
  { says: 'before 2015', timestamp: Date.UTC(2014, 11, 31), at: now },
  { says: 'nonsense', timestamp: 'soon', at: now },
]) {
  test(`a timestamp in ${says} is ${at === now ? 'replaced by the time of receipt' : 'accepted'}`, () => {
    const reading = parse(JSON.stringify({ W: 1, timestamp }));
    assert.equal('at' in reading && reading.at, at);
  });
}

test('every accepted reading is finite and within bounds, and no input throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc
          .dictionary(
            fc.constantFrom('W', 'Hz', 'SoC_nom_fract', 'seq', 'x'),
            fc.oneof(fc.double(), fc.string(), fc.constant(null)),
          )
          .map((value) => JSON.stringify(value)),
      ),
      (text) => {
        const reading = parse(text);
        if ('reason' in reading) return;
        for (const [name, value] of Object.entries(reading.values)) {
          if (typeof value !== 'number') continue;
          const { min: least, max: most } = boundsOf(name);
          assert.ok(Number.isFinite(value) && value >= least && value <= most);
        }
      },
    ),
    { numRuns: amount(2000) },
  );
});
