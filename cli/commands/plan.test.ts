import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PlanAnswer } from '#contract/plan.ts';
import { problemOf } from '#plan/testing/problem-of.ts';
import { runInProcess } from '../testing/in-process.ts';

const solve = (input: string, ...options: string[]) => runInProcess(['plan', 'solve', '-', ...options], {}, input);

suite('plan solve', () => {
  test('prints the plan as JSON', async () => {
    const { out, code } = await solve(JSON.stringify(problemOf([1, 3])), '--json');
    const answer: PlanAnswer = JSON.parse(out);
    assert.equal(code, 0);
    assert.equal(answer.status, 'optimal');
    assert.deepEqual(
      answer.steps.map(({ grid_w }) => Math.round(grid_w)),
      [2000, 0],
    );
  });

  test('prints a line for each step, the cost and what is not kept', async () => {
    const { out } = await solve(JSON.stringify(problemOf([1], { grid: { import_limit_w: 0 }, storages: [] })));
    assert.match(out, /01-15 00:00 +1\.0 kW +Nothing to gain/);
    assert.match(out, /^Cost 1\.00: energy 1\.00,/m);
    assert.match(out, /^Not kept: import limit, 1000 Wh\.$/m);
  });

  test('names a field that it does not know, and plans without it', async () => {
    const { err, code } = await solve(JSON.stringify({ ...problemOf([1]), peak_feees: [] }), '--json');
    assert.equal(code, 0);
    assert.match(err, /^Ignored: peak_feees is not a known field$/m);
  });

  for (const { says, input, names } of [
    { says: 'text that is not JSON', input: '{', names: /is not JSON/ },
    { says: 'something that is not an object', input: '[]', names: /must be object/ },
    {
      says: 'a missing field',
      input: JSON.stringify({ ...problemOf([1]), load_w: undefined }),
      names: /^load_w is required$/m,
    },
    {
      says: 'series of different lengths',
      input: JSON.stringify(problemOf([1, 2], { load_w: [1] })),
      names: /^load_w must have 2 values, as steps_s, not 1$/m,
    },
    {
      says: 'a goal after the last step',
      input: JSON.stringify(
        problemOf([1], { storages: [{ ...problemOf([1]).storages[0]!, goals: [{ step: 1, wh: 1 }] }] }),
      ),
      names: /^storages\.0\.goals\.0\.step must be below 1/m,
    },
    {
      says: 'an unknown time zone',
      input: JSON.stringify(problemOf([1], { timezone: 'Mars' })),
      names: /^timezone must be/m,
    },
    {
      says: 'a number that is too large',
      input: JSON.stringify(problemOf([1])).replace('"load_w":[1000]', '"load_w":[1e999]'),
      names: /^load_w\.0 must be/m,
    },
  ])
    test(`refuses ${says} with exit code 2 and without a stack trace`, async () => {
      const { err, code } = await solve(input);
      assert.equal(code, 2);
      assert.match(err, names);
      assert.doesNotMatch(err, /^ +at /m);
    });
});
