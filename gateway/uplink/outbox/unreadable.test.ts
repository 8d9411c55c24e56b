import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { dayMs } from '#contract/time.ts';
import { createKeptLog } from '#test/gateway/open-local.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import type { OutboxLimits } from './limits.ts';
import { Segment } from './segment.ts';
import { createTwoClocks, openTrial, readingsFrom } from './testing/trial.ts';

/** The disk does not give this file any more, until what is returned is called. */
function failReads(t: TestContext, name: string, code: string): () => void {
  const { read } = Segment.prototype;
  const fault = t.mock.method(Segment.prototype, 'read', function (this: Segment) {
    if (basename(this.path) !== name) return read.call(this);
    return Promise.reject(Object.assign(new Error('This file cannot be read.'), { code }));
  });
  return () => fault.mock.restore();
}

/** An outbox of four files with ten samples each, of which the disk does not give the first until `mend` is called. */
async function openWithUnreadable(
  t: TestContext,
  { code = 'EIO', limits = {} }: { code?: string; limits?: Partial<OutboxLimits> } = {},
) {
  const folder = temporaryFolder(t);
  const { log, lines } = createKeptLog();
  const clocks = createTwoClocks();
  const trial = await openTrial(folder, { segmentBytes: 1 }, { clocks });
  for (let minute = 0; minute < 4; minute++)
    await trial.keep(readingsFrom(clocks.clock.now() + minute * 60_000, 10, 6000));
  await trial.close();

  const mend = failReads(t, (await trial.files())[0]!, code);
  const again = await openTrial(folder, limits, { clocks, log });
  t.after(() => again.close());
  const logged = (text: string): number => lines.filter((line) => line.includes(text)).length;
  return { ...again, logged, mend };
}

suite('a file that cannot be read', () => {
  test('is dropped instead of thinned while the others are thinned', async (t) => {
    const { outbox, clocks, logged } = await openWithUnreadable(t);
    clocks.advance(8 * dayMs);
    await until(() => outbox.counts().waiting === 3);
    assert.equal(outbox.counts().thinned, 27);
    assert.deepEqual(outbox.counts().dropped, { damaged: 10 });
    assert.equal(logged('dropping an unreadable file of the outbox'), 1);
  });

  test('does not keep the outbox above its size limit', async (t) => {
    const { outbox } = await openWithUnreadable(t, { limits: { maxBytes: 2000 } });
    await until(() => outbox.counts().bytes <= 2000);
    const { waiting, thinned, dropped } = outbox.counts();
    assert.deepEqual(dropped, { damaged: 10 });
    assert.equal(waiting + thinned, 30);
  });

  test('is kept when the machine has too many open files', async (t) => {
    const { outbox, clocks, mend, upkeep, logged } = await openWithUnreadable(t, { code: 'EMFILE' });
    clocks.advance(8 * dayMs);
    for (let runs = 0; runs < 3; runs++) await upkeep();
    assert.equal(logged('task failed, will be retried'), 1);
    assert.deepEqual(outbox.counts().dropped, {});
    mend();
    await until(() => outbox.counts().thinned === 36);
    assert.deepEqual(outbox.counts().dropped, {});
  });

  test('is logged once, and again when it is readable', async (t) => {
    const { rest, mend, logged } = await openWithUnreadable(t);
    for (let passes = 0; passes < 5; passes++) assert.equal((await rest()).length, 30);
    assert.equal(logged('failed to read a file of the outbox'), 1);
    mend();
    for (let passes = 0; passes < 5; passes++) assert.equal((await rest()).length, 40);
    assert.equal(logged('outbox file readable again'), 1);
  });
});

test('unreadable undated samples are dropped while the others are dated', async (t) => {
  const clocks = createTwoClocks(5000); // 1970
  const trial = await openTrial(temporaryFolder(t), { segmentBytes: 1 }, { clocks });
  t.after(() => trial.close());
  const { outbox } = trial;
  for (let file = 1; file <= 3; file++) {
    outbox.add('INV-1/pv', readingsFrom(clocks.clock.now(), 1)[0]!);
    await until(() => outbox.counts().undated === file);
  }
  failReads(t, (await trial.files())[0]!, 'EIO');
  clocks.set(Date.parse('2026-06-01'));
  await until(() => outbox.counts().undated === 0);
  assert.deepEqual(outbox.counts().dropped, { damaged: 1 });
  assert.equal((await trial.rest()).length, 2);
});
