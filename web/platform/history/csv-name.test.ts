import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvName } from './csv-name.ts';

for (const { timeZone, from } of [
  { timeZone: 'Europe/Stockholm', from: '2026-11-15T23:00:00Z' },
  { timeZone: 'America/New_York', from: '2026-11-16T05:00:00Z' },
  { timeZone: 'UTC', from: '2026-11-16T00:00:00Z' },
]) {
  test(`a file of the 16th in ${timeZone} has that day in its name`, () => {
    const span = { from: Date.parse(from), to: Date.parse(from) + 86_400_000 };
    assert.equal(csvName('sit-1', span, timeZone), 'sit-1-2026-11-16.csv');
  });
}
