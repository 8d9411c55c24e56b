import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tickTexts } from './tick-text.ts';

const number = (value: number, digits: number): string => value.toFixed(digits);

for (const { unit, by, ticks, texts } of [
  { unit: 'W', by: 200, ticks: [0, 200, 400], texts: ['0 W', '200 W', '400 W'] },
  { unit: 'W', by: 500, ticks: [0, 500, 1000, 1500], texts: ['0.0 kW', '0.5 kW', '1.0 kW', '1.5 kW'] },
  { unit: 'Wh', by: 2000, ticks: [-2000, 0, 2000], texts: ['-2 kWh', '0 kWh', '2 kWh'] },
  { unit: 'Wh', by: 2_000_000, ticks: [0, 2_000_000], texts: ['0 MWh', '2 MWh'] },
  { unit: '%', by: 0.25, ticks: [0, 0.25, 0.5], texts: ['0 %', '25 %', '50 %'] },
  { unit: 'V', by: 0.5, ticks: [229.5, 230], texts: ['229.5 V', '230.0 V'] },
  { unit: 'SEK', by: 1, ticks: [0, 1], texts: undefined },
]) {
  test(`ticks of ${unit} by ${by} are written alike`, () => {
    assert.deepEqual(tickTexts(ticks, by, unit, number), texts);
  });
}
