import assert from 'node:assert/strict';
import { test } from 'node:test';
import { f32, f32le, i16, i32, u16, u32, u32le, u64, u64le } from '../testing/encode.ts';
import { evaluatorOf } from './evaluate.ts';
import { bit, firstOf, holding, is, type Reading, sum } from './point.ts';

/** What a reading is when the registers from 0 on hold these words. */
function evaluated(reading: Reading, words: readonly number[]): number {
  const evaluator = evaluatorOf(reading, {});
  for (const cell of evaluator.cells) {
    const isThere = cell.address + cell.count <= words.length;
    cell.words = isThere ? words : undefined;
    cell.at = cell.address;
  }
  return evaluator.value();
}

const none = Number.NaN;
const charging = { by: holding('u16', 1), plus: is(0), minus: is(1) };
const flags = { by: holding('u16', 1), plus: bit(1), minus: bit(2), mayBeSigned: true } as const;

for (const { says, reading, words, value } of [
  {
    says: 'a tenth is a decimal, not its neighbour',
    reading: holding('u16', 0, { scale: 0.1 }),
    words: u16(3862),
    value: 386.2,
  },
  { says: 'a scale turns the sign', reading: holding('i16', 0, { scale: -0.01 }), words: i16(-1234), value: 12.34 },
  { says: 'a small scale', reading: holding('u16', 0, { scale: 0.0001 }), words: u16(6556), value: 0.6556 },
  { says: 'an offset', reading: holding('u16', 0, { scale: 0.1, offset: -100 }), words: u16(1243), value: 24.3 },
  { says: 'the high word first', reading: holding('u32', 0), words: u32(4_000_000_000), value: 4_000_000_000 },
  {
    says: 'the low word first',
    reading: holding('u32', 0, { wordOrder: 'little' }),
    words: u32le(70_001),
    value: 70_001,
  },
  { says: 'below zero in two words', reading: holding('i32', 0), words: i32(-70_000), value: -70_000 },
  { says: 'four words', reading: holding('u64', 0), words: u64(5_000_000_001), value: 5_000_000_001 },
  {
    says: 'four words, low first',
    reading: holding('u64', 0, { wordOrder: 'little' }),
    words: u64le(5_000_000_001),
    value: 5_000_000_001,
  },
  { says: 'a float without the noise of floats', reading: holding('f32', 0), words: f32(386.2), value: 386.2 },
  { says: 'a scaled float too', reading: holding('f32', 0, { scale: -1000 }), words: f32(3.4), value: -3400 },
  {
    says: 'a float with the low word first',
    reading: holding('f32', 0, { wordOrder: 'little' }),
    words: f32le(-0.0625),
    value: -0.0625,
  },
  { says: 'NaN', reading: holding('f32', 0), words: f32(Number.NaN), value: none },
  { says: 'infinity', reading: holding('f32', 0), words: f32(Number.NEGATIVE_INFINITY), value: none },
  { says: 'the least float there is', reading: holding('f32', 0), words: [0xff7f, 0xffff], value: none },
  { says: 'all ones, 16 bit', reading: holding('u16', 0), words: [0xffff], value: none },
  { says: 'all ones, signed, is one below zero', reading: holding('i16', 0), words: [0xffff], value: -1 },
  { says: 'the lowest number', reading: holding('i16', 0), words: [0x8000], value: none },
  { says: 'the highest number', reading: holding('i32', 0), words: [0x7fff, 0xffff], value: none },
  { says: 'all ones, 64 bit', reading: holding('u64', 0), words: [0xffff, 0xffff, 0xffff, 0xffff], value: none },
  { says: 'a pattern of its own', reading: holding('u16', 0, { absent: [9999] }), words: [9999], value: none },
  { says: 'outside of what can be', reading: holding('u16', 0, { between: [45, 65] }), words: [44], value: none },
  {
    says: 'an exponent below zero',
    reading: holding('i16', 0, { exponent: 1 }),
    words: [...i16(-1234), ...i16(-2)],
    value: -12.34,
  },
  {
    says: 'an exponent above zero',
    reading: holding('i16', 0, { exponent: 1 }),
    words: [...i16(321), ...i16(1)],
    value: 3210,
  },
  {
    says: 'an exponent that is not there',
    reading: holding('i16', 0, { exponent: 1 }),
    words: [...i16(321), 0x8000],
    value: none,
  },
  {
    says: 'an exponent beyond reason',
    reading: holding('i16', 0, { exponent: 1 }),
    words: [...i16(321), ...i16(11)],
    value: none,
  },
  {
    says: 'a sum of decimals',
    reading: sum(holding('u16', 0, { scale: 0.1 }), holding('u16', 1, { scale: 0.1 })),
    words: [1, 2],
    value: 0.3,
  },
  {
    says: 'a part without value is passed over',
    reading: sum(holding('u16', 0), holding('u16', 1)),
    words: [7, 0xffff],
    value: 7,
  },
  {
    says: 'an optional part that is not there too',
    reading: sum(holding('u16', 0), holding('u16', 5, { optional: true })),
    words: [7],
    value: 7,
  },
  {
    says: 'a part that should be there leaves no sum',
    reading: sum(holding('u16', 0), holding('u16', 5)),
    words: [7],
    value: none,
  },
  { says: 'no part, no sum', reading: sum(holding('u16', 0), holding('u16', 1)), words: [0xffff, 0xffff], value: none },
  {
    says: 'the first that has a value',
    reading: firstOf(holding('u16', 0), holding('u16', 1)),
    words: [0xffff, 5],
    value: 5,
  },
  { says: 'the first, zero or not', reading: firstOf(holding('u16', 0), holding('u16', 1)), words: [0, 5], value: 0 },
  {
    says: 'a direction that is plus',
    reading: holding('i16', 0, { sign: charging }),
    words: [...i16(-50), 0],
    value: 50,
  },
  {
    says: 'a direction that is minus',
    reading: holding('i16', 0, { sign: charging }),
    words: [...i16(50), 1],
    value: -50,
  },
  {
    says: 'a direction that is neither',
    reading: holding('i16', 0, { sign: charging }),
    words: [...i16(50), 2],
    value: none,
  },
  {
    says: 'a direction that was not read',
    reading: holding('i16', 0, { sign: charging }),
    words: i16(50),
    value: none,
  },
  { says: 'a direction by a bit', reading: holding('i16', 0, { sign: flags }), words: [...i16(50), 0b101], value: -50 },
  {
    says: 'a value that is signed already',
    reading: holding('i16', 0, { sign: flags }),
    words: [...i16(-50), 0b010],
    value: -50,
  },
  { says: 'both bits', reading: holding('i16', 0, { sign: flags }), words: [...i16(50), 0b110], value: 50 },
]) {
  test(`${says} is ${value}`, () => assert.equal(evaluated(reading, words), value));
}
