import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { hourMs } from '#contract/time.ts';
import { writeJson } from '#lib/atomic-file.ts';
import { createLog } from '#lib/log.ts';
import { startFrom } from '#sim/house/state.ts';
import { createHouse } from '#sim/house.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openHouseMemory } from './house-memory.ts';

const noon = Date.UTC(2026, 5, 21, 11);
const log = createLog({ level: 'silent', name: 'test' });

suite('the saved state of a house', () => {
  const file = join(temporaryFolder({ after }), 'counters.json');
  let now = noon;
  const clock = { now: () => now };
  const open = async () => {
    const memory = await openHouseMemory(file, clock, log);
    const house = memory.build('home', { seed: 1 });
    return { house, state: () => startFrom(house.at(now)), close: memory.close };
  };

  test('continues after a restart; a damaged file starts from the beginning', async () => {
    const first = await open();
    const begun = first.state();
    first.house.force({ battery_W: 3000 });
    first.house.setConditions({ isCarHome: true, carCharge_W: 7000 });
    now += hourMs;
    const before = first.state();
    assert.ok(before.generated > begun.generated + 1000);
    assert.ok(before.battery_soc_fract > begun.battery_soc_fract + 0.2, `charge ${before.battery_soc_fract}`);
    assert.ok(before.vehicle_soc_fract > begun.vehicle_soc_fract + 0.1, `car ${before.vehicle_soc_fract}`);
    await first.close();

    now += 60_000;
    const second = await open();
    assert.deepEqual(second.state(), before);
    now += hourMs;
    assert.ok(second.state().generated > before.generated + 1000);
    await second.close();

    writeFileSync(file, '{"sha256": "');
    const third = await open();
    assert.deepEqual(third.state(), begun);
    await third.close();
  });
});

test('a house without saved state starts from the given one', async (t) => {
  const folder = temporaryFolder(t);
  const clock = { now: () => noon };
  const start = {
    ...startFrom(createHouse({ seed: 1, clock }).at(noon)),
    battery_soc_fract: 0.83,
    imported: 7_000_000,
  };
  const memory = await openHouseMemory(join(folder, 'counters.json'), clock, log);
  assert.deepEqual(startFrom(memory.build('home', { seed: 1 }, start).at(noon)), start);
  await memory.close();
});

test('the state that an earlier version saved is still read', async (t) => {
  const file = join(temporaryFolder(t), 'counters.json');
  const kept = {
    generated: 12_400_000,
    charged: 4_200_000,
    discharged: 4_000_000,
    vehicleCharged: 2_900_000,
    vehicleDischarged: 360_000,
    imported: 6_900_000,
    exported: 7_700_000,
    battery_soc_fract: 0.4,
    vehicle_soc_fract: 0.7,
  };
  await writeJson(file, { home: kept });
  const memory = await openHouseMemory(file, { now: () => noon }, log);
  assert.deepEqual(startFrom(memory.build('home', { seed: 1 }).at(noon)), kept);
  await memory.close();
});
