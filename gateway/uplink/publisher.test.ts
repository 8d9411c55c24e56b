import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drain, livePerSecond } from './testing/drain.ts';

const dayS = 86_400;

/** The backlog of ten DERs after a month: one sample a second for the last week and one a minute before that. */
const fullOutbox = livePerSecond * (7 * dayS + (23 * dayS) / 60);

test('a full outbox is sent within an hour without delaying live samples', async (t) => {
  const waiting = 20_000; // the rest goes as fast as the second half of these
  const { acknowledgedAt, liveMs } = await drain(t, { waiting, answerMs: 200, perSecond: 2000 });
  assert.equal(acknowledgedAt.length, waiting);
  const [half, end] = [acknowledgedAt[waiting / 2]!, acknowledgedAt.at(-1)!];
  const perMs = waiting / 2 / (end - half);
  const minutes = (end + (fullOutbox - waiting) / perMs) / 60_000;
  console.log(`${fullOutbox} samples in ${minutes.toFixed(1)} minutes`);
  assert.ok(minutes <= 60, `${minutes} minutes`);
  assert.ok(liveMs.length > 50 && liveMs.every((ms) => ms === 200));
});

test('a slow platform receives live samples within two seconds and the whole backlog', async (t) => {
  const [waiting, perSecond] = [2000, 250];
  const { acknowledgedAt, liveMs } = await drain(t, { waiting, answerMs: 100, perSecond });
  assert.equal(acknowledgedAt.length, waiting);
  assert.ok(liveMs.length > 50 && Math.max(...liveMs) < 2000, `a live sample took ${Math.max(...liveMs)} ms`);
  const least = (1000 * waiting) / (perSecond - livePerSecond);
  assert.ok(acknowledgedAt.at(-1)! < 2 * least, `it took ${acknowledgedAt.at(-1)} ms, and might have ${least}`);
});
