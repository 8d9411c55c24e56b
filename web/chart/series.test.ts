import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChartSeries, csvOf } from './series.ts';

const column = (name: string, values: ChartSeries['values'], unit = 'W'): ChartSeries => ({
  name,
  values,
  unit,
  colour: 'sun',
  kind: 'line',
});

test('a missing value is an empty cell, and zero is zero', () => {
  const text = csvOf([0, 60_000], [column('Sun', [0, undefined]), column('Grid', [-1.5, 2])]);
  assert.deepEqual(text.split('\r\n'), [
    'time,"Sun (W)","Grid (W)"',
    '1970-01-01T00:00:00.000Z,0,-1.5',
    '1970-01-01T00:01:00.000Z,,2',
    '',
  ]);
});

test('a name that looks like a formula is escaped', () => {
  const [head] = csvOf([], [column('=1+1', []), column('Say "hi", twice', [], '')]).split('\r\n');
  assert.equal(head, `time,"'=1+1 (W)","Say ""hi"", twice"`);
});

test('the header explains the signs of a chart with two sides', () => {
  const series = [column('Battery', [-5]), column('Charge', [0.5], '%')];
  const [head] = csvOf([0], series, { up: 'comes in', down: 'goes out' }).split('\r\n');
  assert.equal(head, 'time,"Battery (W, + comes in, - goes out)","Charge (0 to 1)"');
});
