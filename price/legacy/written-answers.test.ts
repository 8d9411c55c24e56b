import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PriceDay } from '../electricity/prices.ts';
import { readQuestion } from '../electricity/question.ts';
import { createWrittenAnswers } from './written-answers.ts';

const question = readQuestion('SE3', {}, Date.UTC(2026, 0, 14));
const dayOf = (fetchedAt: number): PriceDay => ({
  date: '2026-01-14',
  points: [],
  source: 'ENTSO-E',
  isSimulated: false,
  fetchedAt,
});

test('an answer is written once for the days it tells, and anew when one of them has become another', async () => {
  const answers = createWrittenAnswers();
  let written = 0;
  const ask = (form: string, days: readonly PriceDay[]) =>
    answers.of(question, form, days, () => ({ text: String(++written), headers: {} }));
  const [today, corrected, tomorrow] = [dayOf(1), dayOf(2), dayOf(3)];
  const first = await ask('json', [today]);
  assert.equal(await ask('json', [today]), first);
  const others = [await ask('xml', [today]), await ask('json', [corrected]), await ask('json', [corrected, tomorrow])];
  assert.deepEqual(
    others.map(({ body }) => body),
    ['2', '3', '4'],
  );
  assert.notEqual(others[1]!.headers.etag, first.headers.etag);
});
