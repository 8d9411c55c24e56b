import assert from 'node:assert/strict';
import { type FileHandle, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openTrial, readingAt } from './testing/trial.ts';

/** Notes how much of each file a power cut would leave: what it had when it was last synced. */
async function watchSyncs(t: TestContext, folder: string, isForgetful: boolean) {
  const probe = await open(folder, 'r');
  const methods = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const synced = new Map<number, number>();
  const { sync, datasync } = methods;
  const watched = (original: () => Promise<void>) =>
    async function watching(this: FileHandle): Promise<void> {
      const { ino, size } = await this.stat();
      await original.call(this);
      if (!isForgetful) synced.set(ino, size);
    };
  methods.sync = watched(sync);
  methods.datasync = watched(datasync);

  return {
    async copy(): Promise<string> {
      const copy = temporaryFolder(t);
      for (const name of await readdir(folder)) {
        try {
          const path = join(folder, name);
          const { ino } = await stat(path);
          await writeFile(join(copy, name), (await readFile(path)).subarray(0, synced.get(ino) ?? 0));
        } catch (error) {
          // Removed meanwhile: all of it was acknowledged.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        }
      }
      return copy;
    },
    end: () => Object.assign(methods, { sync, datasync }),
  };
}

/** Cuts the power again and again while samples come and go; how many of those that were safe are missing. */
async function cutPower(t: TestContext, cuts: number, isForgetful: boolean) {
  const folder = temporaryFolder(t);
  const trial = await openTrial(folder, { segmentBytes: 2000 });
  const { outbox, clocks, safe } = trial;
  const disk = await watchSyncs(t, folder, isForgetful);
  const writer = { isOn: true };
  let acknowledged = 0; // of those that are safe, from the first on
  const writing = (async () => {
    for (let made = 0; writer.isOn; made++) {
      outbox.add('INV-1/pv', readingAt(clocks.clock.now() + made));
      await sleep(1);
      while (safe.length - acknowledged > 60) {
        const { seq } = safe[acknowledged++]!;
        outbox.acknowledge([[seq, seq]]);
      }
    }
  })();

  let [owed, missing, reused] = [0, 0, 0];
  try {
    for (let cut = 0; cut < cuts; cut++) {
      await sleep(Math.random() * 20);
      const given = safe.map(({ seq }) => seq);
      const copy = await disk.copy();
      const waiting = given.slice(acknowledged);
      const after = await openTrial(copy, {}, { clocks });
      const found = new Set((await after.rest()).map(({ seq }) => seq));
      owed += waiting.length;
      missing += waiting.filter((seq) => !found.has(seq)).length;
      const [next] = await after.keep([readingAt(clocks.clock.now())]);
      if (next!.seq <= Math.max(...given, ...found)) reused++;
      await after.close();
    }
  } finally {
    writer.isOn = false;
    await writing;
    disk.end();
    await trial.close();
  }
  return { owed, missing, reused };
}

test('a power cut at any moment loses no sample on disk and repeats no number', async (t) => {
  const { owed, missing, reused } = await cutPower(t, 60, false);
  assert.ok(owed > 1000, `${owed} samples were owed`);
  assert.deepEqual({ missing, reused }, { missing: 0, reused: 0 });
});

test('the same check detects missing disk syncs', async (t) => {
  assert.ok((await cutPower(t, 5, true)).missing > 0);
});
