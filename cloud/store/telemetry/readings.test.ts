import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseNumbers } from './readings.ts';

const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
);
const name = fc.oneof(fc.string(), fc.constantFrom('W', 'timestamp', 'seq', 'så "sa" \\ de', 'a":1,"b'));

test('parseNumbers finds the same numbers as JSON.parse', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value), fc.constantFrom(0, 1, '\t'), (values, indent) => {
      const body = JSON.stringify(values, undefined, indent);
      const numbers = Object.entries(JSON.parse(body) as object).filter(
        ([each, one]) => typeof one === 'number' && !['timestamp', 'seq', 'read_time_ms'].includes(each),
      );
      assert.deepEqual(
        Object.fromEntries(parseNumbers(body)),
        Object.fromEntries(numbers.map(([each, one]) => [each, one + 0])),
      );
    }),
    { numRuns: 2000 },
  );
});

test('the last value of a repeated name counts', () => {
  assert.deepEqual([...parseNumbers('{"W":1,"V":2,"W":3,"V":"x"}')], [['W', 3]]);
});
