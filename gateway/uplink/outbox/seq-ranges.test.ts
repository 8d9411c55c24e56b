import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SeqRanges } from './seq-ranges.ts';

const small = fc.integer({ min: 0, max: 40 });
const pair = fc.tuple(small, small).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

test('ranges behave like a set of numbers', () => {
  fc.assert(
    fc.property(fc.uniqueArray(small), fc.array(pair), fc.uniqueArray(small), (members, removals, others) => {
      const sorted = members.toSorted((a, b) => a - b);
      const ranges = new SeqRanges();
      let model = new Set(sorted);
      for (const seq of sorted) ranges.add(seq);
      for (const [first, last] of removals) {
        const gone = [...model].filter((seq) => seq >= first && seq <= last);
        assert.equal(ranges.remove(first, last), gone.length);
        for (const seq of gone) model.delete(seq);
      }
      const kept = new SeqRanges();
      for (const seq of others.toSorted((a, b) => a - b)) kept.add(seq);
      const before = model.size;
      model = new Set([...model].filter((seq) => others.includes(seq)));
      assert.equal(ranges.retain(kept), before - model.size);
      assert.equal(ranges.count, model.size);
      for (let seq = 0; seq <= 41; seq++) assert.equal(ranges.has(seq), model.has(seq));
      assert.deepEqual(new SeqRanges(ranges.list()).list(), ranges.list());
    }),
  );
});
