import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amount } from '#test/amount.ts';
import { parseReading, readKnownShape, scanReading, shapeOf } from './reading.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const shape = shapeOf(['timestamp', 'W', 'SoC_nom_fract', 'mode', 'seq'])!;
const plain = `{"timestamp":${now - 5000},"W":-12.5,"SoC_nom_fract":0.755,"mode":"auto","seq":7}`;

test('a plain reading of the expected shape gives the same result as parsing', () => {
  const reading = readKnownShape(Buffer.from(plain), now, shape);
  assert.ok(reading);
  const { at, seq, text, isRedated, values } = reading;
  assert.deepEqual({ at, seq, text, isRedated }, { at: now - 5000, seq: 7, text: plain, isRedated: false });
  assert.deepEqual(values, JSON.parse(plain));
});

for (const { says, text } of [
  { says: 'a blank', text: plain.replace(':-12', ': -12') },
  { says: 'a blank at the end', text: `${plain} ` },
  { says: 'another field', text: plain.replace('}', ',"V":1}') },
  { says: 'a field less', text: plain.replace(',"seq":7', '') },
  { says: 'a field twice', text: plain.replace('"mode":"auto"', '"mode":"auto","mode":"auto"') },
  { says: 'another order', text: plain.replace('"W"', '"seq"').replace('"seq":7', '"W":7') },
  { says: 'an exponent', text: plain.replace('-12.5', '-1e9') },
  { says: 'sixteen digits', text: plain.replace('-12.5', '1.234567890123456') },
  { says: 'a leading zero', text: plain.replace('-12.5', '012') },
  { says: 'a point without digits', text: plain.replace('-12.5', '12.') },
  { says: 'no digits', text: plain.replace('-12.5', '-') },
  { says: 'a value out of bounds', text: plain.replace('0.755', '1.5') },
  { says: 'an escape', text: plain.replace('auto', 'a\\u0075to') },
  { says: 'a letter beyond ASCII', text: plain.replace('auto', 'ä') },
  { says: 'a text without end', text: plain.slice(0, plain.indexOf('auto') + 2) },
  { says: 'a time in words', text: plain.replace(String(now - 5000), '"2026-06-01T12:00:00Z"') },
  { says: 'a list', text: plain.replace('-12.5', '[1]') },
  { says: 'nothing', text: '' },
]) {
  test(`${says} is left to JSON.parse`, () => assert.equal(scanReading(Buffer.from(text), shape), undefined));
}

test('a name that JSON escapes has no shape', () => {
  for (const name of ['a"b', 'a\\b', 'ä', 'a\nb']) assert.equal(shapeOf(['W', name]), undefined);
  assert.equal(shapeOf([]), undefined);
});

const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.double({ min: -1000, max: 1000, noNaN: true }).map((value) => Math.round(value * 100) / 100),
  fc.constantFrom(-0, 0, 1, 1e15, 999_999_999_999_999, 1e-7, now, now / 1000, now + 1e9),
);
const value = fc.oneof({ weight: 5, arbitrary: number }, fc.string({ maxLength: 300 }), fc.constantFrom(null, true));
const name = fc.oneof(fc.constantFrom('timestamp', 'W', 'Hz', 'SoC_nom_fract', 'seq', 'total_import_Wh'), fc.string());

/** Bytes that are wrong in one place, if anywhere. */
const spoiled = (text: string, at: number, byte: number): Buffer => {
  const bytes = Buffer.from(text);
  if (at < bytes.length) bytes[at] = byte;
  return bytes;
};

test('every reading that is accepted without parsing equals the parsed one, byte for byte and number for number', () => {
  let understood = 0;
  fc.assert(
    fc.property(
      fc.dictionary(name, value),
      fc.dictionary(name, value),
      fc.nat(400),
      fc.nat(255),
      (values, other, at, byte) => {
        const ones = JSON.stringify(Object.fromEntries(Object.keys(values).map((key) => [key, 1])));
        const accepted = parseReading(Buffer.from(ones), now);
        const expected = 'reason' in accepted ? undefined : shapeOf(Object.keys(accepted.values));
        if (!expected) return;
        const texts = [ones, JSON.stringify(values), JSON.stringify(other)];
        for (const bytes of texts.flatMap((text) => [Buffer.from(text), spoiled(text, at, byte)])) {
          const sooner = readKnownShape(bytes, now, expected);
          if (!sooner) continue;
          understood++;
          const parsed = parseReading(bytes, now);
          assert.ok(!('reason' in parsed), bytes.toString());
          for (const key of ['at', 'seq', 'text', 'isRedated', 'values'] as const) {
            assert.deepEqual(sooner[key], parsed[key], key);
          }
        }
      },
    ),
    { numRuns: amount(5000) },
  );
  assert.ok(understood > 1000, `${understood} were understood`);
});
