import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { carbonOfImports } from './carbon.ts';

const at = (time: string): string => `2026-03-01T${time}:00.000Z`;
const hours = [
  { start: at('10:00'), end: at('11:00'), intensity: 40 },
  { start: at('11:00'), end: at('12:00'), intensity: 0 },
  { start: at('12:00'), end: at('13:00'), intensity: 250.5 },
];
const imported = (start: string, end: string, import_wh: number) => ({ start: at(start), end: at(end), import_wh });

suite('carbon of imports', () => {
  for (const { says, imports, carbon_g, covered_pct } of [
    {
      says: 'is the sum over hours of energy times intensity',
      imports: [imported('10:00', '11:00', 2000), imported('11:00', '12:00', 500), imported('12:00', '13:00', 1000)],
      carbon_g: 330.5,
      covered_pct: 100,
    },
    {
      says: 'is the same by quarter-hours',
      imports: [imported('10:00', '10:15', 1500), imported('10:45', '11:00', 500)],
      carbon_g: 80,
      covered_pct: 100,
    },
    {
      says: 'covers the share of the energy whose intensity is known',
      imports: [imported('10:30', '10:45', 300), imported('13:00', '14:00', 100)],
      carbon_g: 12,
      covered_pct: 75,
    },
    {
      says: 'is 0 for energy without emissions',
      imports: [imported('11:00', '12:00', 700)],
      carbon_g: 0,
      covered_pct: 100,
    },
    {
      says: 'is absent, not 0, when no intensity is known',
      imports: [imported('13:00', '14:00', 700)],
      carbon_g: null,
      covered_pct: 0,
    },
    {
      says: 'does not guess how the energy of a longer interval was spread',
      imports: [imported('10:00', '12:00', 700), imported('10:30', '11:30', 100)],
      carbon_g: null,
      covered_pct: 0,
    },
    { says: 'is 0 without imports', imports: [imported('13:00', '14:00', 0)], carbon_g: 0, covered_pct: null },
  ]) {
    test(says, () => assert.deepEqual(carbonOfImports(imports, hours), { carbon_g, covered_pct }));
  }
});
