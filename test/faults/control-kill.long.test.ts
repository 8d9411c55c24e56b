import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isGood, runTrials, trials, withinMs } from './control-run.ts';

suite('control under faults', { concurrency: 2 }, () => {
  test(`the inverter is back within ${withinMs / 1000} s after the lease, whatever dies or hangs`, async () => {
    const outcomes = await runTrials(trials.length, 3);
    const latest = Math.max(...outcomes.map(({ backAfterMs }) => backAfterMs ?? Number.POSITIVE_INFINITY));
    console.log(`${outcomes.length} runs, latest back ${latest} ms after its time`);
    assert.deepEqual(
      outcomes.filter((outcome) => !isGood(outcome)),
      [],
    );
  });

  test('the same runs detect a gateway without its watchdog', async () => {
    const outcomes = await runTrials(3, 3, 'no-watchdog', [
      'gateway killed',
      'gateway paused for good',
      'plan: gateway killed',
    ]);
    assert.ok(
      outcomes.every(({ isApplied }) => isApplied) && !outcomes.some(isGood),
      'the planted bug must be noticed',
    );
  });

  test('a run without any control does not count as good', () => {
    const outcome = { trial: trials[0], backAfterMs: 0, forbidden: [], isApplied: true };
    assert.ok(isGood(outcome));
    assert.ok(!isGood({ ...outcome, isApplied: false }));
  });
});
