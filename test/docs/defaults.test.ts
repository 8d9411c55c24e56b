import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { defaultAlertRules } from '#contract/cloud/alerts.ts';
import { defaultPlanGoals } from '#contract/cloud/plans.ts';
import { settingsOf } from '#lib/config/setting.ts';
import { programNames, programs } from '../../cli/configuration/programs.ts';
import { root } from '../source-files.ts';

const document = readFileSync(join(root, 'docs/defaults.md'), 'utf8');
const settings = programNames.flatMap((program) => settingsOf(programs[program]));
const valueByName = new Map(settings.map(([name, setting]) => [name, String(setting.default ?? '') || '-']));

const listed = document
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [, names, value] = line.split(' | ').flatMap((cell, index) => (index === 0 ? ['', cell] : [cell]));
    return [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => [name!, value!.replaceAll('`', '')] as const);
  });

test('docs/defaults.md has the values of the programs', () => {
  assert.deepEqual(
    listed,
    listed.map(([name]) => [name, valueByName.get(name)]),
  );
});

test('docs/defaults.md lists what opens ports, contacts servers, keeps data and limits others', () => {
  const isConcerned =
    /HOST$|_PORT$|^RATE_|_PER_|_DAYS$|_HOURS$|_SOURCES$|^(UPLINK|SMTP|NTFY|FX|CLOUD|HOME_ASSISTANT)\w*_URL$/;
  const lines = new Set(['GATEWAY_RS485_PORT', 'GATEWAY_P1_PORT']); // serial lines
  const names = new Set(listed.map(([name]) => name));
  const missing = [...valueByName.keys()].filter(
    (name) => isConcerned.test(name) && !lines.has(name) && !names.has(name),
  );
  assert.deepEqual(missing, []);
});

test('plans are off, and the alerts that are on are those of docs/defaults.md', () => {
  const { mode, reserve_pct, battery_for_car, battery_to_grid, export_at_negative_price } = defaultPlanGoals;
  assert.deepEqual([mode, reserve_pct], ['off', 10]);
  assert.deepEqual([battery_for_car, battery_to_grid, export_at_negative_price], [false, false, false]);
  const off = Object.entries(defaultAlertRules).filter(([, { enabled }]) => !enabled);
  assert.deepEqual(
    off.map(([rule]) => rule),
    ['price_below', 'price_above', 'negative_price', 'battery_below'],
  );
});
