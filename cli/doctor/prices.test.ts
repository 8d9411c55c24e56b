import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { CloudConfig } from '#cloud/config.ts';
import { readConfig } from '#lib/config.ts';
import { PriceConfig } from '#price/config.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { checkCarbon, checkTariffUpdates } from './prices.ts';

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

suite('the check of tariff updates', () => {
  for (const { says, state, level, pattern } of [
    { says: 'waits for the first one', state: undefined, level: 'ok', pattern: /not been updated yet/ },
    {
      says: 'reports a success',
      state: { last_run: '2026-11-18T10:00:00.000Z', operators: 8, failures: [] },
      level: 'ok',
      pattern: /updated on 2026-11-18, from 8 operators/,
    },
    {
      says: 'names what failed',
      state: {
        last_run: '2026-11-18T10:00:00.000Z',
        failures: [{ source: 'https://x.se', message: 'The response is not JSON.' }],
      },
      level: 'warning',
      pattern: /1 failures\. https:\/\/x\.se: The response is not JSON/,
    },
  ]) {
    test(says, async (t) => {
      const folder = temporaryFolder(t);
      mkdirSync(join(folder, 'tariffs'));
      if (state) writeFileSync(join(folder, 'tariffs', 'tariff-updates.json'), JSON.stringify(state));
      const price = readConfig(PriceConfig, { TARIFF_UPDATES: 'on', PRICE_DATA_DIR: folder });
      const cloud = readConfig(CloudConfig, {});
      const [found] = [await checkTariffUpdates({ price, cloud, isSet: () => true })].flat();
      assert.equal(found?.level, level);
      assert.match(found?.says ?? '', pattern);
    });
  }

  test('says nothing when updates are off', async () => {
    const settings = { price: readConfig(PriceConfig, {}), cloud: readConfig(CloudConfig, {}), isSet: () => false };
    assert.deepEqual(await checkTariffUpdates(settings), []);
  });
});
