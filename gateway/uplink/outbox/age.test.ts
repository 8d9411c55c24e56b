import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dayMs, hourMs } from '#contract/time.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { createTwoClocks, openTrial, readingAt, readingsFrom } from './testing/trial.ts';

test('samples are thinned after 7 days and dropped after 30, and both are counted', async (t) => {
  const clocks = createTwoClocks();
  const began = Math.ceil(clocks.clock.now() / 60_000) * 60_000;
  const trial = await openTrial(temporaryFolder(t), { segmentBytes: 1 }, { clocks });
  const { outbox } = trial;
  await trial.keep(
    Array.from({ length: 12 }, (_, index) =>
      readingAt(began + index * 10_000, { W: -index, total_generation_Wh: 1000 + index, status: `s${index}` }),
    ),
  );
  await trial.keep([readingAt(began + 7 * dayMs)]); // of another file, younger
  clocks.advance(7 * dayMs - hourMs);
  await trial.upkeep();
  assert.equal(outbox.counts().waiting, 13, 'not yet');

  clocks.advance(2 * hourMs);
  await until(() => outbox.counts().thinned === 10);
  const [first, second, young] = (await trial.rest()).map(({ json }) => JSON.parse(json));
  assert.deepEqual(
    [first, second].map(({ seq, ...values }) => values),
    [
      { ...readingAt(began + 25_000), W: -2.5, total_generation_Wh: 1005, status: 's5' },
      { ...readingAt(began + 85_000), W: -8.5, total_generation_Wh: 1011, status: 's11' },
    ],
  );
  assert.ok(first.seq > young.seq, 'a mean is a sample of its own');
  assert.deepEqual(outbox.counts().dropped, {});

  clocks.advance(23 * dayMs);
  await until(() => outbox.counts().waiting === 1);
  assert.deepEqual(outbox.counts().dropped, { too_old: 2 });
  await trial.close();
});

test('thinned samples survive a kill and are acknowledged by their new numbers', async (t) => {
  const clocks = createTwoClocks();
  const folder = temporaryFolder(t);
  const trial = await openTrial(folder, { segmentBytes: 1 }, { clocks });
  const kept = await trial.keep(readingsFrom(clocks.clock.now(), 300));
  clocks.advance(8 * dayMs);
  await until(() => trial.outbox.counts().thinned > 0);
  const means = await trial.rest();
  assert.ok(means.length <= 6);
  assert.equal(trial.outbox.acknowledge([[kept[0]!.seq, kept.at(-1)!.seq]]), 0);
  const again = await openTrial(folder, {}, { clocks });
  assert.deepEqual(await again.rest(), means);
  assert.equal(again.outbox.acknowledge([[means[0]!.seq, means.at(-1)!.seq]]), means.length);
  await trial.close();
  await again.close();
});

for (const { says, jump } of [
  { says: 'a month ahead', jump: 31 * dayMs },
  { says: 'to 2099', jump: Date.UTC(2099, 0, 1) - Date.parse('2026-06-01') },
  { says: 'a day back', jump: -dayMs },
  { says: 'to 1970', jump: 1000 - Date.parse('2026-06-01') },
]) {
  test(`a clock that jumps ${says} and back costs no sample`, async (t) => {
    const trial = await openTrial(temporaryFolder(t), { segmentBytes: 1 });
    const { clocks, outbox } = trial;
    await trial.keep(readingsFrom(clocks.clock.now(), 20));
    clocks.advance(2 * hourMs);
    await trial.upkeep();
    clocks.set(clocks.clock.now() + jump);
    await trial.upkeep();
    clocks.advance(hourMs / 2);
    await trial.upkeep();
    clocks.set(clocks.clock.now() - jump);
    await trial.upkeep();
    assert.deepEqual(outbox.counts().dropped, {});
    assert.equal(outbox.counts().waiting, 20);
    await trial.close();
  });
}

test('a clock that was set is trusted after an hour', async (t) => {
  const trial = await openTrial(temporaryFolder(t), { segmentBytes: 1 });
  const { clocks, outbox } = trial;
  await trial.keep(readingsFrom(clocks.clock.now(), 20));
  clocks.set(clocks.clock.now() + 31 * dayMs);
  await trial.upkeep();
  clocks.advance(hourMs);
  await until(() => outbox.counts().dropped.too_old === 20);
  await trial.close();
});

test('an outbox above its size limit thins the oldest samples, then drops them', async (t) => {
  const trial = await openTrial(temporaryFolder(t), { segmentBytes: 4000, maxBytes: 20_000 });
  const { clocks, outbox } = trial;
  for (let minute = 0; minute < 300; minute++)
    await trial.keep(readingsFrom(clocks.clock.now() + minute * 60_000, 4, 15_000));
  await until(() => (outbox.counts().dropped.outbox_full ?? 0) > 0 && outbox.counts().bytes < 26_000);
  const { waiting, dropped, thinned } = outbox.counts();
  assert.ok(thinned > 0);
  assert.equal(waiting + dropped.outbox_full! + thinned, 1200, 'every sample waits, is part of a mean, or was counted');
  const rest = (await trial.rest()).map(({ json }) => JSON.parse(json).timestamp);
  assert.ok(rest.includes(clocks.clock.now() + 299 * 60_000), 'the newest are there');
  await trial.close();
});

test('an unreadable file is dropped when the outbox is too large', { timeout: 20_000 }, async (t) => {
  const folder = temporaryFolder(t);
  const before = await openTrial(folder, { segmentBytes: 2000 });
  const { clocks } = before;
  for (let hour = 0; hour < 10; hour++) await before.keep(readingsFrom(clocks.clock.now() + hour * hourMs, 16));
  await before.close();
  const path = join(folder, (await before.files())[0]!);
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0, 0, bytes.lastIndexOf('\n', -2))); // all but the footer

  const after = await openTrial(folder, { maxBytes: 6000 }, { clocks });
  await until(() => after.outbox.counts().bytes <= 6000);
  const { waiting, dropped, thinned } = after.outbox.counts();
  assert.deepEqual(dropped, { damaged: 16 });
  assert.equal(waiting + thinned, 144);
  await after.close();
});

test('samples taken before the clock is set are dated by monotonic time later', async (t) => {
  const clocks = createTwoClocks(5000); // 1970, five seconds after the start
  const folder = temporaryFolder(t);
  const trial = await openTrial(folder, {}, { clocks });
  for (let second = 0; second < 3; second++) {
    trial.outbox.add('INV-1/pv', readingAt(clocks.clock.now()));
    clocks.advance(1000);
  }
  await until(() => trial.outbox.counts().undated === 3);
  assert.equal(trial.outbox.sendable(), 0);
  assert.deepEqual(await trial.rest(), []);
  await trial.close();

  const again = await openTrial(folder, {}, { clocks }); // another process, the same start of the machine
  clocks.advance(2000);
  await again.upkeep();
  assert.equal(again.outbox.counts().undated, 3);
  const now = Date.parse('2026-06-01T12:00:00Z');
  clocks.set(now);
  await until(() => again.outbox.sendable() === 3);
  assert.deepEqual(
    (await again.rest()).map(({ json }) => JSON.parse(json).timestamp),
    [now - 5000, now - 4000, now - 3000],
  );
  await again.close();
});

test('samples taken with an unconfirmed clock are dated once NTP has synchronised', async (t) => {
  const clocks = createTwoClocks(); // what was saved
  let isKnown = false;
  const trial = await openTrial(temporaryFolder(t), {}, { clocks, isTimeKnown: () => isKnown });
  const { outbox } = trial;
  for (let second = 0; second < 3; second++) {
    outbox.add('INV-1/pv', readingAt(clocks.clock.now()));
    clocks.advance(1000);
  }
  await until(() => outbox.counts().undated === 3);
  assert.equal(outbox.sendable(), 0);

  const now = clocks.clock.now() + 5 * hourMs;
  clocks.set(now);
  isKnown = true;
  const [sample] = await trial.keep([readingAt(now)]);
  await until(() => outbox.sendable() === 4);
  const sent = (await trial.rest()).map(({ json }) => JSON.parse(json));
  assert.deepEqual(
    sent.map(({ timestamp }) => timestamp),
    [now - 3000, now - 2000, now - 1000, now],
  );
  assert.equal(sample!.seq, sent.at(-1).seq);
  await trial.close();
});

test('undated samples are dropped and counted after another power cut', async (t) => {
  const clocks = createTwoClocks(5000);
  const folder = temporaryFolder(t);
  const trial = await openTrial(folder, {}, { clocks });
  trial.outbox.add('INV-1/pv', readingAt(clocks.clock.now()));
  await until(() => trial.outbox.counts().undated === 1);
  await trial.close();
  clocks.restart(Date.parse('2026-06-01T12:00:00Z'));
  const again = await openTrial(folder, {}, { clocks, boot: 'second' });
  assert.deepEqual(again.outbox.counts().dropped, { undatable: 1 });
  assert.equal(again.outbox.counts().waiting, 0);
  await again.close();
});

test('a reading that began before the clock was set is dated by its end', async (t) => {
  const trial = await openTrial(temporaryFolder(t));
  const [sample] = await trial.keep([readingAt(7000)]);
  assert.equal(JSON.parse(sample!.json).timestamp, trial.clocks.clock.now() - 12);
  await trial.close();
});
