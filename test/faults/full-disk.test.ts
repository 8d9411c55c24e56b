import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OutboxCounts } from '#gateway/uplink/outbox/outbox.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { cannotMount, onSmallDisk } from './small-disk.ts';

const program = fileURLToPath(new URL('./full-disk-process.ts', import.meta.url));

type Counts = OutboxCounts & { taken: number };
type HandedOn = { handedOn: number };
type Said = {
  thinning: Counts;
  full: HandedOn;
  freed: Counts;
  reopened: OutboxCounts;
  restarted: HandedOn;
  restartedBare: HandedOn;
};

const lostOf = ({ dropped }: OutboxCounts): number => Object.values(dropped).reduce((sum, count) => sum + count, 0);

test('a full disk thins the outbox, does not stop publishing, and recovers when there is space', {
  skip: cannotMount(),
}, async (t) => {
  const folder = temporaryFolder(t);
  const [command, args] = onSmallDisk(folder, 1, `"${process.execPath}" "${program}" "${folder}"`);
  const { stdout } = await promisify(execFile)(command, args, { timeout: 60_000 });
  const { thinning, full, freed, reopened, restarted, restartedBare } = JSON.parse(stdout) as Said;
  console.log({ thinning, full, freed, reopened, restarted, restartedBare });
  assert.ok(thinning.thinned > 0, 'samples became minute means');
  for (const counts of [thinning, freed]) {
    assert.equal(counts.waiting + counts.thinned + lostOf(counts), counts.taken, 'every sample is accounted for');
    assert.equal(counts.unwritten, 0);
  }
  assert.equal(full.handedOn, 500);
  assert.equal(reopened.waiting, freed.waiting);
  assert.deepEqual(reopened.dropped, {}, 'nothing was damaged');
  assert.equal(restarted.handedOn, 500, 'a start on a full disk publishes');
  assert.equal(restartedBare.handedOn, 500, 'so does one without reserved space');
});
