import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTwoClocks, openTrial, readingAt } from '#gateway/uplink/outbox/testing/trial.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const everyMs = 10_000;
const weekMs = 7 * 86_400_000;

test('a week without the platform costs no sample: all are on disk, also after a restart, and leave in order', async (t) => {
  const clocks = createTwoClocks();
  const folder = temporaryFolder(t);
  const { outbox } = await openTrial(folder, { upkeepMs: 50 }, { clocks });
  const count = weekMs / everyMs - 360; // an hour less than a week, since then the oldest become means
  for (let made = 0; made < count; made++) {
    clocks.advance(everyMs);
    outbox.add('INV-1/pv', readingAt(clocks.clock.now(), { W: -1 - made }));
    if (made % 500 === 0) await sleep(1);
  }
  await outbox.close();

  const again = await openTrial(folder, {}, { clocks });
  const { waiting, thinned, dropped } = again.outbox.counts();
  assert.deepEqual({ waiting, thinned, dropped }, { waiting: count, thinned: 0, dropped: {} });
  const left = (await again.rest()).map(({ json }) => (JSON.parse(json) as { W: number }).W);
  assert.deepEqual(
    left,
    Array.from({ length: count }, (_, made) => -1 - made),
  );
  again.outbox.acknowledge([[0, Number.MAX_SAFE_INTEGER]]);
  assert.equal(again.outbox.counts().waiting, 0);
  await again.close();
});
