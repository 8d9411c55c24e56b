import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Makes garbage for two seconds in a process of its own, and returns the size of its young heap in MB. */
async function youngHeapAfter(garbageShare: number): Promise<number> {
  const program = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { getHeapSpaceStatistics } from 'node:v8';
    const { growHeapWhenBusy } = await import(${JSON.stringify(import.meta.resolve('./heap.ts'))});
    growHeapWhenBusy(200);
    let kept = [];
    for (const end = performance.now() + 2000; performance.now() < end; ) {
      const until = performance.now() + 20 * ${garbageShare};
      while (performance.now() < until) kept.push({ at: performance.now(), values: new Array(20) });
      kept = kept.slice(${-20_000 * garbageShare});
      await sleep(20 * (1 - ${garbageShare}));
    }
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1e6);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return Number(stdout);
}

test('the young heap stays small in an idle process, and grows in a busy one', async () => {
  const [idle, busy] = await Promise.all([youngHeapAfter(0.02), youngHeapAfter(1)]);
  assert.ok(idle <= 17, `${idle} MB when idle`);
  assert.ok(busy > 30, `${busy} MB when busy`);
});
