import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import type { PlanAnswer } from '#contract/plan.ts';
import { problemOf } from '#plan/testing/problem-of.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { runInProcess } from '../testing/in-process.ts';

const solve = (input: string, ...options: string[]) => runInProcess(['plan', 'solve', '-', ...options], {}, input);

const fee = { period: 'month', window_s: 3600, count: 1, one_per_day: true, price_per_kw: 45 } as const;

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

  test('prints a line for each step, the cost and the missed rules', async () => {
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
      says: 'tiers that are not in order',
      input: JSON.stringify(
        problemOf([1], {
          peak_fees: [
            {
              period: 'month',
              window_s: 3600,
              count: 3,
              one_per_day: true,
              tiers: [
                { up_to_kw: 5, fee: 2 },
                { up_to_kw: 2, fee: 1 },
              ],
            },
          ],
        }),
      ),
      names: /^peak_fees\.0\.tiers must be in order of up_to_kw$/m,
    },
    {
      says: 'an efficiency above 1',
      input: JSON.stringify(problemOf([1], { storages: [{ ...problemOf([1]).storages[0]!, charge_efficiency: 95 }] })),
      names: /^storages\.0\.charge_efficiency must be/m,
    },
    { says: 'no steps', input: JSON.stringify(problemOf([])), names: /^steps_s must/m },
    {
      says: 'a negative load',
      input: JSON.stringify(problemOf([1, 1], { load_w: [0, -1] })),
      names: /^load_w\.1 must be/m,
    },
    {
      says: 'text in the place of a number',
      input: JSON.stringify(problemOf([1])).replace('"import_price":[1]', '"import_price":["cheap"]'),
      names: /^import_price\.0 must be/m,
    },
    {
      says: 'another format',
      input: JSON.stringify({ ...problemOf([1]), format: 'plan-2' }),
      names: /^format must be/m,
    },
    {
      says: 'a start that is not a time',
      input: JSON.stringify(problemOf([1], { start: 'now' })),
      names: /^start must be/m,
    },
    ...['1', '2026-01-15T00:00:00', '2026-02-30T00:00:00+01:00'].map((start) => ({
      says: `the start ${start}, which is no certain time`,
      input: JSON.stringify(problemOf([1], { start })),
      names: /^start must be/m,
    })),
    ...['2026-13-01', '8/1'].map((day) => ({
      says: `a peak on the day ${day}`,
      input: JSON.stringify(problemOf([1], { peak_fees: [{ ...fee, peaks_so_far: [{ day, kw: 1 }] }] })),
      names: /^peak_fees\.0\.peaks_so_far\.0\.day must be a day such as/m,
    })),
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

suite('plan replay', () => {
  const hours = Array.from({ length: 72 }, (_, n) => n);
  const start = Date.parse('2026-01-10T00:00:00Z');
  const rows = hours.map((n) => {
    const at = new Date(start + n * 3_600_000).toISOString();
    const price = n % 24 === 18 ? 3 : 1;
    return `${at},1000,0,${price},0.2,${at},0.4`;
  });
  const header = 'start,load_w,solar_w,import_price,export_price,price_known_at,fixed_price';
  const { format, timezone, solar_curtailable, grid, storages } = problemOf([1]);
  const replay = { evaluate_from: '2026-01-11T00:00:00Z', evaluate_to: '2026-01-13T00:00:00Z', reacts: true };
  const homeYear = { format, timezone, solar_curtailable, grid, storages, replay };

  async function run(t: TestContext, change: object = {}, lines: readonly string[] = [header, ...rows]) {
    const folder = temporaryFolder(t);
    await writeFile(join(folder, 'case.json'), JSON.stringify({ ...homeYear, ...change }));
    await writeFile(join(folder, 'series.csv'), lines.join('\n'));
    const out = join(folder, 'realised.csv');
    const done = await runInProcess(['plan', 'replay', folder, '--json', '--out', out, '--knowing-the-future']);
    return { ...done, realised: done.code === 0 ? await readFile(out, 'utf8') : '' };
  }

  test('answers with the realised cost, others beside it, and what happened', async (t) => {
    const { out, code, realised } = await run(t);
    assert.equal(code, 0);
    const { cost, no_storage, knowing_the_future, steps } = JSON.parse(out);
    assert.equal(steps, 48);
    assert.equal(no_storage.total.toFixed(2), '52.00');
    assert.ok(cost.total < 52 && cost.total >= knowing_the_future.total - 1e-6);
    assert.deepEqual([knowing_the_future.status, knowing_the_future.gap], ['optimal', 0]);
    assert.equal(realised.trim().split('\n').length, 49);
  });

  for (const { says, change, lines, names } of [
    { says: 'a missing field', change: { replay: {} }, names: /^replay\.evaluate_from is required$/m },
    {
      says: 'a time outside the series',
      change: { replay: { ...replay, evaluate_to: '2026-02-01T00:00:00Z' } },
      names: /evaluate_to must be a time that series\.csv covers/,
    },
    { says: 'a missing column', lines: ['start,load_w', ...rows], names: /series\.csv has no column solar_w/ },
    {
      says: 'a value that is not a number',
      lines: [header, ...rows.with(3, rows[3]!.replace('1000', 'x'))],
      names: /series\.csv, line 5: load_w must be a number/,
    },
    {
      says: 'a gap',
      lines: [header, ...rows.slice(0, 5), ...rows.slice(6)],
      names: /series\.csv, line 7: start must be 3600 seconds after/,
    },
  ])
    test(`refuses ${says} with exit code 2`, async (t) => {
      const { err, code } = await run(t, change, lines);
      assert.equal(code, 2);
      assert.match(err, names);
      assert.doesNotMatch(err, /^ +at /m);
    });
});
