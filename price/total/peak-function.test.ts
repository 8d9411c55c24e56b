import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type PeakValue, parsePeakFunction } from './peak-function.ts';

const peaks: Record<string, PeakValue> = {
  main: { kw: 5, counted: 5, start: 1 },
  high: { kw: 4, counted: 4, start: 2 },
  low: { kw: 10, counted: 10, start: 3 },
};

const evaluate = (text: string) => parsePeakFunction(text)?.((reference) => peaks[reference]);

suite('a peak function', () => {
  for (const { text, counted, start } of [
    { text: 'peak(main)', counted: 5, start: 1 },
    { text: 'max(peak(high),peak(low)/2)', counted: 5, start: 3 },
    { text: 'max(peak(high), peak(low) / 4)', counted: 4, start: 2 },
    { text: 'min(peak(high),peak(low))', counted: 4, start: 2 },
    { text: 'max(0, peak(low)-peak(high)/2)', counted: 8, start: 3 },
    { text: '2*(peak(high)+1)', counted: 10, start: 2 },
    { text: 'max(peak(nobody),peak(main))', counted: 5, start: 1 },
  ]) {
    test(`${text} is ${counted}`, () => {
      const value = evaluate(text);
      assert.deepEqual({ counted: value?.counted, start: value?.start }, { counted, start });
    });
  }

  test('without measurements has no value', () => {
    assert.equal(evaluate('peak(nobody)'), undefined);
    assert.equal(evaluate('peak(nobody)+peak(main)'), undefined);
  });

  for (const text of [
    '',
    'peak',
    'peak()',
    'peak(main',
    'peak(main))',
    'sum(peak(main))',
    'peak(main) peak(low)',
    '1 $ 2',
    '('.repeat(300),
  ]) {
    test(`${text.slice(0, 30) || 'no text'} is not supported`, () => assert.equal(parsePeakFunction(text), undefined));
  }
});
