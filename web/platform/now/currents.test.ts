import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteReading } from '#contract/client/site-stream.ts';
import { currentsOf } from './currents.ts';

const at = 1_800_000_000_000;
const read = (values: Record<string, number>) => ({ timestamp: at, ...values }) as unknown as SiteReading;

for (const { says, grid, nowMs = at, currents } of [
  { says: 'are the measured magnitudes', grid: read({ L1_A: -4, L2_A: 2 }), currents: [4, 2] },
  { says: 'are calculated from power and voltage', grid: read({ L1_W: -460, L1_V: 230 }), currents: [2] },
  { says: 'are empty if the meter reports none', grid: read({ W: 100 }), currents: [] },
  { says: 'are unknown if the reading is old', grid: read({ L1_A: 4 }), nowMs: at + 6 * 60_000, currents: undefined },
  { says: 'are unknown without a reading', grid: undefined, currents: undefined },
])
  test(`the currents ${says}`, () =>
    assert.deepEqual(
      currentsOf(grid, nowMs)?.map(({ amps }) => amps),
      currents,
    ));
