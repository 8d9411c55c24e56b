import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tickTexts, valueRange } from './axes.ts';

test('the axis of a power starts at zero and has padding at its ends', () => {
  assert.deepEqual(valueRange(100, 1000, 'W', ['line']), [0, 1080]);
  assert.deepEqual(valueRange(-1000, 1000, 'W', ['area']), [-1160, 1160]);
  assert.deepEqual(valueRange(-1000, -10, 'W', ['line']), [-1080, 0]);
});

test('the axis of a voltage starts near its lowest value', () => {
  assert.deepEqual(valueRange(225, 235, 'V', ['line']), [224.2, 235.8]);
});

test('the axis of a fraction runs from 0 to 1', () => assert.deepEqual(valueRange(0.4, 0.5, '%', ['line']), [0, 1]));

test('a constant or missing value still has an axis', () => {
  assert.deepEqual(valueRange(0, 0, 'W', ['line']), [0, 1]);
  assert.deepEqual(valueRange(50, 50, 'Hz', ['line']), [46, 54]);
  assert.deepEqual(valueRange(null, null, 'W', ['line']), [0, 1]);
});

for (const { unit, by, ticks, texts } of [
  { unit: 'W', by: 200, ticks: [0, 200, 400], texts: ['0 W', '200 W', '400 W'] },
  { unit: 'W', by: 500, ticks: [0, 500, 1000, 1500], texts: ['0.0 kW', '0.5 kW', '1.0 kW', '1.5 kW'] },
  { unit: 'Wh', by: 2000, ticks: [-2000, 0, 2000], texts: ['-2 kWh', '0 kWh', '2 kWh'] },
  { unit: 'Wh', by: 2_000_000, ticks: [0, 2_000_000], texts: ['0 kWh', '2,000 kWh'] },
  { unit: 'Wh', by: 1e8, ticks: [0, 1e8], texts: ['0 MWh', '100 MWh'] },
  { unit: '%', by: 0.25, ticks: [0, 0.25, 0.5], texts: ['0%', '25%', '50%'] },
  { unit: 'V', by: 0.5, ticks: [229.5, 230], texts: ['229.5 V', '230.0 V'] },
  { unit: 'SEK', by: 1, ticks: [0, 1], texts: undefined },
]) {
  test(`ticks of ${unit} in steps of ${by} have the same prefix and decimals`, () => {
    assert.deepEqual(tickTexts(ticks, by, unit), texts);
  });
}
