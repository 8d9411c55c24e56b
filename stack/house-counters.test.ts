import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { createHouse } from '#sim/house.ts';
import { openHouseCounters } from './house-counters.ts';

const noon = Date.UTC(2026, 5, 21, 11);
const log = createLog({ level: 'silent', name: 'test' });

suite('the counters of a house', () => {
  test('go on after a restart, through a damaged file only anew', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'ohmstead-counters-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'counters.json');
    let now = noon;
    const clock = { now: () => now };
    const open = async () => {
      const counters = await openHouseCounters(file, clock, log);
      return { house: counters.continue('home', createHouse({ seed: 1, clock })), close: counters.close };
    };

    const first = await open();
    const begun = first.house.at(now).Wh;
    now += 3_600_000;
    const before = first.house.at(now).Wh;
    assert.ok(before.generated > begun.generated + 1000);
    await first.close();

    now += 60_000;
    const second = await open();
    assert.deepEqual(second.house.at(now).Wh, before);
    now += 3_600_000;
    assert.ok(second.house.at(now).Wh.generated > before.generated + 1000);
    await second.close();

    writeFileSync(file, '{"sha256": "');
    const third = await open();
    assert.deepEqual(third.house.at(now).Wh, begun);
    await third.close();
  });
});
