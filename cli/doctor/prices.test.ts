import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readConfig } from '#lib/config.ts';
import { PriceConfig } from '#price/config.ts';
import { checkCarbon } from './prices.ts';

suite('the check of carbon sources', () => {
  for (const { says, env, levels, pattern } of [
    { says: 'reports nothing when none is configured', env: {}, levels: [], pattern: /^$/ },
    {
      says: 'finds one without its token',
      env: { CARBON_SOURCES: 'electricitymaps' },
      levels: ['warning'],
      pattern: /Electricity Maps is not used.*ELECTRICITYMAPS_TOKEN/s,
    },
    {
      says: 'finds one that cannot be reached, and leaves out addresses that are not used',
      env: { CARBON_SOURCES: 'uk', CARBON_SOURCE_URLS: 'uk=http://127.0.0.1:2,energidataservice=http://127.0.0.1:3' },
      levels: ['problem'],
      pattern: /Cannot reach uk at 127\.0\.0\.1:2: connection refused.*CARBON_SOURCE_URLS/s,
    },
  ]) {
    test(says, async () => {
      const outcomes = [await checkCarbon({ price: readConfig(PriceConfig, env) })].flat();
      assert.deepEqual(
        outcomes.map(({ level }) => level),
        levels,
      );
      assert.match(outcomes.map(({ says: sentence, next }) => `${sentence} ${next}`).join('\n'), pattern);
    });
  }
});
