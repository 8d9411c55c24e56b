import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { findArea } from '../electricity/areas.ts';
import { energyTax } from './taxes.ts';

const place = (code: string, year: number, municipality?: string) => ({
  area: findArea(code)!,
  year,
  municipality,
  seen: [],
});

suite('the energy tax', () => {
  for (const { says, of, sek } of [
    { says: 'of 2025 is 43.9 öre', of: place('SE3', 2025, '0180'), sek: 0.439 },
    { says: 'of 2026 is 36.0 öre', of: place('SE3', 2026, '0180'), sek: 0.36 },
    { says: 'of 2025 in Kiruna is 34.3 öre', of: place('SE1', 2025, '2584'), sek: 0.343 },
    { says: 'of 2026 in Östersund is 26.4 öre', of: place('SE2', 2026, '2380'), sek: 0.264 },
    { says: 'of 2026 in Torsby is 26.4 öre', of: place('SE3', 2026, '1737'), sek: 0.264 },
    {
      says: 'of 2026 in Sundsvall, in the same price area as Östersund, is 36.0 öre',
      of: place('SE2', 2026, '2281'),
      sek: 0.36,
    },
    { says: 'of 2026 somewhere in SE1 is reduced', of: place('SE1', 2026), sek: 0.264 },
    { says: 'of 2026 somewhere in SE2 is the full rate', of: place('SE2', 2026), sek: 0.36 },
    {
      says: 'of 2026 is reduced where a tariff lists the reduced rate of 2025',
      of: { ...place('SE2', 2026), seen: [{ year: 2025, sekPerKwh: 0.343 }] },
      sek: 0.264,
    },
  ]) {
    test(says, () => assert.equal(energyTax(of)?.sekPerKwh, sek));
  }

  test('of an unknown year is that of the last known year, and the rule states it', () => {
    assert.match(energyTax(place('SE3', 2029, '0180'))!.rule, /^energy tax of 2026, .*2029 is not known$/);
  });

  test('of Sweden does not apply elsewhere', () => assert.equal(energyTax(place('NO1', 2026)), undefined));
});
