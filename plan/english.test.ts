import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlanSaying, planSentences, sentenceIn } from '#contract/plan-sentences.ts';
import { keysOf } from '#contract/schema.ts';
import { inEnglish } from './english.ts';

const values = {
  power_kw: 1.5,
  grid_kw: -0.3,
  energy_kwh: 12,
  price: 0.76,
  price_then: 1.37,
  saved: 0.61,
  worth: 0.5,
  fee: 49,
  amount: 21.7,
  at: '2026-01-16T16:00:00Z',
  name: 'Charger (garage). 2',
} as const satisfies Omit<PlanSaying, 'key'>;

test('a page finds each sentence of plans, with its values, in the English text', () => {
  for (const key of keysOf(planSentences)) {
    const text = inEnglish({ key, ...values }, { timeZone: 'Europe/Stockholm', fromMs: 0 });
    const found = sentenceIn(planSentences, text);
    assert.equal(found?.sentence, planSentences[key], text);
    assert.equal(
      found.sentence.replace(/\{(\w+)\}/g, (_, name: string) => found.values[name] ?? ''),
      text,
    );
  }
  assert.equal(sentenceIn(planSentences, 'Another sentence.'), undefined);
});
