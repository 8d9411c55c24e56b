import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAge, formatCountdown, formatEnergy, formatPower, parseDuration, parsePower } from './quantity.ts';

for (const [text, watts] of [
  ['3kW', 3000],
  ['2000W', 2000],
  ['0.5 kw', 500],
  ['0W', 0],
  ['3', undefined],
  ['-3kW', undefined],
  ['3kWh', undefined],
  ['1e3W', undefined],
  ['kW', undefined],
] as const) {
  test(`"${text}" is ${watts === undefined ? 'no power' : `${watts} watt`}`, () =>
    assert.equal(parsePower(text), watts));
}

for (const [text, seconds] of [
  ['90s', 90],
  ['10m', 600],
  ['1h', 3600],
  ['1.5h', 5400],
  ['7d', 604_800],
  ['10', undefined],
  ['-1h', undefined],
  ['5 minutes', undefined],
] as const) {
  test(`"${text}" is ${seconds === undefined ? 'no time' : `${seconds} seconds`}`, () =>
    assert.equal(parseDuration(text), seconds));
}

test('a power is shown without its sign, in kilowatt from a thousand on', () => {
  assert.deepEqual([0, -412.4, 999.4, 999.6, -3210].map(formatPower), ['0 W', '412 W', '999 W', '1.00 kW', '3.21 kW']);
});

test('energy is shown in kilowatt-hours', () => assert.equal(formatEnergy(7_412_500), '7412.5 kWh'));

test('a countdown has hours when there are any, and ends at zero', () => {
  assert.deepEqual([3_600_000, 598_001, 59_000, -5].map(formatCountdown), ['1:00:00', '9:59', '0:59', '0:00']);
});

test('an age is formatted in its largest unit', () => {
  assert.deepEqual([-9, 4999, 119_000, 7_199_000, 86_400_000, 172_800_000].map(formatAge), [
    '0 s',
    '4 s',
    '119 s',
    '119 min',
    '24 h',
    '2 d',
  ]);
});
