import assert from 'node:assert/strict';
import { test } from 'node:test';
import { f32, f32le, i16, i32, u16, u32, u32le, u64, u64le } from '../testing/encode.ts';
import { evaluatorOf } from './evaluate.ts';
import { bit, type Expression, firstOf, holding, is, leastOf, sum } from './point.ts';

/** Evaluates an expression with these words in the registers from 0. */
function evaluated(expression: Expression, words: readonly number[]): number {
  const evaluator = evaluatorOf(expression, {});
  for (const cell of evaluator.slots) {
    const isPresent = cell.address + cell.count <= words.length;
    cell.words = isPresent ? words : undefined;
    cell.offset = cell.address;
  }
  return evaluator.value();
}

const none = Number.NaN;
const charging = { by: holding('u16', 1), plus: is(0), minus: is(1) };
const flags = { by: holding('u16', 1), plus: bit(1), minus: bit(2), mayBeSigned: true } as const;

for (const { says, expression, words, value } of [
  {
    says: 'a tenth without rounding error',
    expression: holding('u16', 0, { scale: 0.1 }),
    words: u16(3862),
    value: 386.2,
  },
  { says: 'a negative scale', expression: holding('i16', 0, { scale: -0.01 }), words: i16(-1234), value: 12.34 },
  { says: 'a small scale', expression: holding('u16', 0, { scale: 0.0001 }), words: u16(6556), value: 0.6556 },
  { says: 'an offset', expression: holding('u16', 0, { scale: 0.1, offset: -100 }), words: u16(1243), value: 24.3 },
  { says: 'the high word first', expression: holding('u32', 0), words: u32(4_000_000_000), value: 4_000_000_000 },
  {
    says: 'the low word first',
    expression: holding('u32', 0, { wordOrder: 'little' }),
    words: u32le(70_001),
    value: 70_001,
  },
  { says: 'a negative number in two words', expression: holding('i32', 0), words: i32(-70_000), value: -70_000 },
  { says: 'four words', expression: holding('u64', 0), words: u64(5_000_000_001), value: 5_000_000_001 },
  {
    says: 'four words, low first',
    expression: holding('u64', 0, { wordOrder: 'little' }),
    words: u64le(5_000_000_001),
    value: 5_000_000_001,
  },
  { says: 'a float without rounding error', expression: holding('f32', 0), words: f32(386.2), value: 386.2 },
  {
    says: 'a scaled float without rounding error',
    expression: holding('f32', 0, { scale: -1000 }),
    words: f32(3.4),
    value: -3400,
  },
  {
    says: 'a scaled float that a product would miss',
    expression: holding('f32', 0, { scale: 100 }),
    words: f32(4.35),
    value: 435,
  },
  {
    says: 'a float with the low word first',
    expression: holding('f32', 0, { wordOrder: 'little' }),
    words: f32le(-0.0625),
    value: -0.0625,
  },
  { says: 'NaN', expression: holding('f32', 0), words: f32(Number.NaN), value: none },
  { says: 'infinity', expression: holding('f32', 0), words: f32(Number.NEGATIVE_INFINITY), value: none },
  { says: 'the lowest float', expression: holding('f32', 0), words: [0xff7f, 0xffff], value: none },
  { says: '0xFFFF unsigned', expression: holding('u16', 0), words: [0xffff], value: none },
  { says: '0xFFFF signed', expression: holding('i16', 0), words: [0xffff], value: -1 },
  { says: 'the lowest number', expression: holding('i16', 0), words: [0x8000], value: none },
  { says: 'the highest number', expression: holding('i32', 0), words: [0x7fff, 0xffff], value: none },
  { says: 'all bits set, 64 bit', expression: holding('u64', 0), words: [0xffff, 0xffff, 0xffff, 0xffff], value: none },
  {
    says: 'an absent pattern of the point',
    expression: holding('u16', 0, { absent: [9999] }),
    words: [9999],
    value: none,
  },
  { says: 'a value out of range', expression: holding('u16', 0, { between: [45, 65] }), words: [44], value: none },
  { says: 'a value at the lower limit', expression: holding('u16', 0, { between: [45, 65] }), words: [45], value: 45 },
  { says: 'a value at the upper limit', expression: holding('u16', 0, { between: [45, 65] }), words: [65], value: 65 },
  { says: 'a value above its limit', expression: holding('u16', 0, { between: [45, 65] }), words: [66], value: none },
  {
    says: 'an exponent of zero',
    expression: holding('i16', 0, { exponent: 1 }),
    words: [...i16(321), 0],
    value: 321,
  },
  {
    says: 'a negative exponent',
    expression: holding('i16', 0, { exponent: 1 }),
    words: [...i16(-1234), ...i16(-2)],
    value: -12.34,
  },
  {
    says: 'a positive exponent',
    expression: holding('i16', 0, { exponent: 1 }),
    words: [...i16(321), ...i16(1)],
    value: 3210,
  },
  {
    says: 'a missing exponent',
    expression: holding('i16', 0, { exponent: 1 }),
    words: [...i16(321), 0x8000],
    value: none,
  },
  {
    says: 'an implausible exponent',
    expression: holding('i16', 0, { exponent: 1 }),
    words: [...i16(321), ...i16(11)],
    value: none,
  },
  {
    says: 'a sum of decimals',
    expression: sum(holding('u16', 0, { scale: 0.1 }), holding('u16', 1, { scale: 0.1 })),
    words: [1, 2],
    value: 0.3,
  },
  {
    says: 'a long sum of integers',
    expression: sum(holding('u64', 0), holding('u16', 4)),
    words: [...u64(1_234_567_890_123), 4],
    value: 1_234_567_890_127,
  },
  {
    says: 'a sum ignores parts without value',
    expression: sum(holding('u16', 0), holding('u16', 1)),
    words: [7, 0xffff],
    value: 7,
  },
  {
    says: 'a sum ignores missing optional parts',
    expression: sum(holding('u16', 0), holding('u16', 5, { optional: true })),
    words: [7],
    value: 7,
  },
  {
    says: 'a sum with a missing mandatory part',
    expression: sum(holding('u16', 0), holding('u16', 5)),
    words: [7],
    value: none,
  },
  {
    says: 'a sum without values',
    expression: sum(holding('u16', 0), holding('u16', 1)),
    words: [0xffff, 0xffff],
    value: none,
  },
  {
    says: 'the first choice with a value',
    expression: firstOf(holding('u16', 0), holding('u16', 1)),
    words: [0xffff, 5],
    value: 5,
  },
  {
    says: 'the first choice, which is higher',
    expression: firstOf(holding('u16', 0), holding('u16', 1)),
    words: [7, 5],
    value: 7,
  },
  {
    says: 'the first choice, which is zero',
    expression: firstOf(holding('u16', 0), holding('u16', 1)),
    words: [0, 5],
    value: 0,
  },
  {
    says: 'the least of two',
    expression: leastOf(holding('u16', 0), holding('u16', 1)),
    words: [7, 5],
    value: 5,
  },
  {
    says: 'a positive direction',
    expression: holding('i16', 0, { sign: charging }),
    words: [...i16(-50), 0],
    value: 50,
  },
  {
    says: 'a negative direction',
    expression: holding('i16', 0, { sign: charging }),
    words: [...i16(50), 1],
    value: -50,
  },
  {
    says: 'an unknown direction',
    expression: holding('i16', 0, { sign: charging }),
    words: [...i16(50), 2],
    value: none,
  },
  {
    says: 'a direction that was not read',
    expression: holding('i16', 0, { sign: charging }),
    words: i16(50),
    value: none,
  },
  {
    says: 'zero in an unknown direction',
    expression: holding('i16', 0, { sign: charging }),
    words: [0, 2],
    value: 0,
  },
  {
    says: 'a signed value whose direction was not read',
    expression: holding('i16', 0, { sign: flags }),
    words: i16(50),
    value: none,
  },
  {
    says: 'half a watt by a bit',
    expression: holding('i16', 0, { scale: 0.1, sign: flags }),
    words: [5, 0b100],
    value: -0.5,
  },
  {
    says: 'a direction by a bit',
    expression: holding('i16', 0, { sign: flags }),
    words: [...i16(50), 0b101],
    value: -50,
  },
  {
    says: 'a value that is already signed',
    expression: holding('i16', 0, { sign: flags }),
    words: [...i16(-50), 0b010],
    value: -50,
  },
  {
    says: 'both direction bits set',
    expression: holding('i16', 0, { sign: flags }),
    words: [...i16(50), 0b110],
    value: 50,
  },
]) {
  test(`${says} is ${value}`, () => assert.equal(evaluated(expression, words), value));
}

test('a register is mandatory only where its value is', () => {
  const isMandatory = (...given: Parameters<typeof evaluatorOf>) => evaluatorOf(...given).slots[0]?.isMandatory;
  const [always, optional] = [holding('u16', 0), holding('u16', 0, { optional: true })];
  assert.deepEqual(
    [isMandatory(always, {}), isMandatory(always, {}, true), isMandatory(optional, {}, true)],
    [false, true, false],
  );
});

test('a choice is missing when all its parts are, a sum when one is', () => {
  for (const [expression, isMissing] of [
    [firstOf(holding('u16', 0), holding('u16', 1)), false],
    [sum(holding('u16', 0), holding('u16', 1)), true],
  ] as const) {
    const evaluator = evaluatorOf(expression, {});
    const [first] = evaluator.slots;
    assert.ok(first && evaluator.isMissing());
    first.words = [7];
    assert.equal(evaluator.isMissing(), isMissing);
  }
});
