import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { openTrial, readingsFrom } from './testing/trial.ts';

/** No file can be written any more, until what is returned is called. */
async function failWrites(t: TestContext, code: string): Promise<() => void> {
  await using file = await open('/dev/null');
  const fault = t.mock.method(Object.getPrototypeOf(file), 'appendFile', () =>
    Promise.reject(Object.assign(new Error('The disk does not take it.'), { code })),
  );
  return () => fault.mock.restore();
}

for (const { says, code, dropped } of [
  { says: 'the disk is full', code: 'ENOSPC', dropped: { disk_full: 3 } },
  { says: 'the disk is broken', code: 'EIO', dropped: { unwritten: 3 } },
]) {
  test(`when ${says}, samples up to the limit stay in memory and the others are counted as dropped`, async (t) => {
    const { outbox, clocks, keep } = await openTrial(temporaryFolder(t), { maxUnwritten: 5 });
    t.after(() => outbox.close());
    const mend = await failWrites(t, code);
    await keep(readingsFrom(clocks.clock.now(), 5));
    for (const reading of readingsFrom(clocks.clock.now() + 5000, 3)) outbox.add('INV-1/pv', reading);
    assert.deepEqual(outbox.counts().dropped, dropped);
    mend();
    await until(() => outbox.counts().waiting === 5 && outbox.counts().unwritten === 0);
    assert.deepEqual(outbox.counts().dropped, dropped);
  });
}
