import assert from 'node:assert/strict';
import { cp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { linesOf } from './segment.ts';
import { openTrial, readingAt, readingsFrom } from './testing/trial.ts';

const seqsOf = (samples: readonly { seq: number }[]): number[] => samples.map(({ seq }) => seq);

test('samples stay on disk in order until they are acknowledged, and then no file is left', async (t) => {
  const trial = await openTrial(temporaryFolder(t), { segmentBytes: 1000 });
  const { outbox, clocks } = trial;
  const kept = await trial.keep(readingsFrom(clocks.clock.now(), 20));
  const [first, last] = [kept[0]!.seq, kept.at(-1)!.seq];
  assert.deepEqual(
    await trial.rest(),
    kept.map(({ seq, source, json }) => ({ seq, source, json })),
  );
  assert.deepEqual(JSON.parse(kept[0]!.json), { ...readingAt(clocks.clock.now()), seq: first });

  assert.equal(outbox.acknowledge([[first, first + 4]]), 5);
  assert.equal(outbox.acknowledge([[first, first + 4]]), 0);
  assert.equal(outbox.counts().waiting, 15);
  assert.deepEqual(seqsOf(await trial.rest()), seqsOf(kept.slice(5)));
  outbox.acknowledge([[first, last]]);
  await outbox.close();
  assert.deepEqual(await trial.files(), []);
});

test('a killed outbox keeps the samples on disk and never reuses a number', async (t) => {
  const folder = temporaryFolder(t);
  let highest = 0;
  for (let start = 0; start < 5; start++) {
    const trial = await openTrial(folder, { segmentBytes: 700 });
    const kept = await trial.keep(readingsFrom(trial.clocks.clock.now() + start * 60_000, 7));
    assert.ok(kept[0]!.seq > highest, 'a new start continues after the last number');
    highest = kept.at(-1)!.seq;
    const copy = temporaryFolder(t);
    await cp(folder, copy, { recursive: true }); // the state after a kill, without a footer
    await trial.close();
    await rm(folder, { recursive: true });
    await cp(copy, folder, { recursive: true });
  }
  const last = await openTrial(folder);
  assert.equal(last.outbox.counts().waiting, 35);
  assert.equal(new Set(seqsOf(await last.rest())).size, 35);
  await last.close();
});

for (const { says, harm } of [
  { says: 'lost', harm: (path: string) => rm(path) },
  { says: 'damaged', harm: (path: string) => writeFile(path, '{"sha256":"0","data":{"reserved":1}}') },
]) {
  test(`numbers keep rising when the file with the last one is ${says}`, async (t) => {
    const folder = temporaryFolder(t);
    const trial = await openTrial(folder);
    const [kept] = await trial.keep([readingAt(trial.clocks.clock.now())]);
    trial.outbox.acknowledge([[kept!.seq, kept!.seq]]); // no sample is left to tell
    await trial.close();
    await harm(join(folder, 'seq.json'));
    trial.clocks.advance(5000);
    const next = await openTrial(folder, {}, { clocks: trial.clocks });
    const [sample] = await next.keep([readingAt(next.clocks.clock.now())]);
    assert.ok(sample!.seq > kept!.seq);
    await next.close();
  });
}

test('an unfinished line is ignored', async (t) => {
  const folder = temporaryFolder(t);
  const trial = await openTrial(folder);
  const kept = await trial.keep(readingsFrom(trial.clocks.clock.now(), 3));
  const [name] = await trial.files();
  const whole = await readFile(join(folder, name!));
  for (const cut of [1, 2, 40, 100]) {
    const copy = temporaryFolder(t);
    await writeFile(join(copy, name!), whole);
    await truncate(join(copy, name!), whole.length - cut);
    const after = await openTrial(copy);
    assert.deepEqual(seqsOf(await after.rest()), seqsOf(kept.slice(0, 2)));
    assert.deepEqual(after.outbox.counts().dropped, {});
    await after.close();
  }
  await trial.close();
});

for (const { says, isFinished } of [
  { says: 'a finished file', isFinished: true },
  { says: 'a file that was being written', isFinished: false },
]) {
  test(`a damaged byte of ${says} costs one line and is counted`, async (t) => {
    const folder = temporaryFolder(t);
    const trial = await openTrial(folder);
    const kept = await trial.keep(readingsFrom(trial.clocks.clock.now(), 3));
    if (isFinished) await trial.close();
    const [name] = await trial.files();
    const whole = await readFile(join(folder, name!));
    const oneLine = whole.indexOf('\n') + 1;
    for (const { at, lost } of [
      { at: 3, lost: 1 },
      { at: oneLine + 60, lost: 1 },
      { at: oneLine - 1, lost: 2 }, // where one line becomes one with the next
      { at: 3 * oneLine + 20, lost: 0 }, // the footer
    ]) {
      const copy = temporaryFolder(t);
      const bytes = Buffer.from(whole);
      if (at < bytes.length) bytes[at]! ^= 1;
      await writeFile(join(copy, name!), bytes);
      const after = await openTrial(copy);
      const found = seqsOf(await after.rest());
      assert.equal(found.length, 3 - lost, `byte ${at}`);
      assert.ok(found.every((seq) => seqsOf(kept).includes(seq)));
      assert.equal((after.outbox.counts().dropped.damaged ?? 0) > 0, lost > 0 || (isFinished && at > 3 * oneLine));
      assert.equal(after.outbox.counts().waiting, found.length);
      await after.close();
    }
    await trial.close();
  });
}

test('a queued sample takes at most 1.3 times its JSON on disk', async (t) => {
  const folder = temporaryFolder(t);
  const trial = await openTrial(folder);
  for (const W of Array.from({ length: 3000 }, (_, index) => -index)) {
    trial.outbox.add(
      'sungrow_192_168_1_100/pv',
      readingAt(trial.clocks.clock.now() + W, { W, total_generation_Wh: 1e7 }),
    );
  }
  await until(() => trial.safe.length === 3000);
  const json = trial.safe.reduce((total, sample) => total + sample.json.length, 0);
  const [name] = await trial.files();
  const { size, blocks } = await stat(join(folder, name!));
  const lines = [...linesOf(await readFile(join(folder, name!)))];
  assert.equal(lines.at(-1)?.end, size);
  assert.ok(blocks * 512 <= 1.3 * json, `${blocks * 512} bytes for ${json}`);
  await trial.close();
});

test('many samples share one write', async (t) => {
  const trial = await openTrial(temporaryFolder(t), { commitMs: 20 });
  const writes: number[] = [];
  trial.outbox.onReady(({ length }) => writes.push(length));
  for (const reading of readingsFrom(trial.clocks.clock.now(), 1000)) trial.outbox.add('INV-1/pv', reading);
  await until(() => writes.length > 0);
  assert.deepEqual(writes, [1000]);
  await trial.close();
});
