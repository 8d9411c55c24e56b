import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quarterMs } from '#contract/cloud/energy.ts';
import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import { dayMs } from '#contract/time.ts';
import { packDerDay, packSiteDay, unpackDerDay, unpackSiteDay } from './codec.ts';
import { Fold } from './fold.ts';
import { composeDay, emptyDerDay, loadOf, putRecord, type SiteDay, storedColumns } from './site-day.ts';

const start = Date.parse('2026-06-01T00:00:00Z');

type Filled = { in?: number; out?: number; estimated?: number; coveredMs?: number };

/** A DER with this energy in the first quarter of the day. */
function der(
  derType: DerTypeId,
  deviceType: DeviceTypeId,
  first: Filled,
  life: { since?: number; lastAt?: number } = {},
) {
  const day = emptyDerDay();
  const record = { in: 0, out: 0, estimated: 0, coveredMs: quarterMs, ...first };
  putRecord(day, 0, { ...record, quarter: start / quarterMs, readings: 900, chain: undefined });
  return { derType, deviceType, since: start - dayMs, lastAt: start + dayMs, ...life, day };
}

const firstOf = (day: SiteDay) => Object.fromEntries(storedColumns.map((name) => [name, day[name][0]]));
const compose = (...ders: ReturnType<typeof der>[]) => {
  const first = firstOf(composeDay(ders, start)) as Record<(typeof storedColumns)[number], number>;
  return { ...first, load: loadOf(first) };
};

test('the load closes the balance', () => {
  const quarter = compose(
    der('meter', 'energy_meter', { in: 100, out: 20 }),
    der('solar', 'inverter', { out: 300 }),
    der('battery', 'inverter', { in: 50, out: 10 }),
    der('ev_charger_port', 'ev_charger', { in: 200, out: 5 }),
    der('meter', 'meter', { in: 80 }),
  );
  assert.deepEqual(quarter, {
    import: 100,
    export: 20,
    solar: 300,
    battery_charge: 50,
    battery_discharge: 10,
    car_charge: 200,
    car_discharge: 5,
    estimated: 0,
    covered_s: 900,
    load: 145,
  });
});

test('the meter of the grid company is preferred to that of an inverter, where it has data', () => {
  const grid = der('meter', 'energy_meter', { in: 100 });
  const own = der('meter', 'inverter', { in: 90 });
  assert.equal(compose(own, grid).import, 100);
  assert.equal(compose(own, der('meter', 'energy_meter', { coveredMs: 0 })).import, 0); // it has readings
});

test('two meters that replaced each other within a quarter are added', () => {
  const old = der('meter', 'energy_meter', { in: 60, coveredMs: 400_000 }, { lastAt: start + 400_000 });
  const fresh = der('meter', 'energy_meter', { in: 40, coveredMs: 300_000 }, { since: start + 600_000 });
  const { import: bought, covered_s } = compose(old, fresh);
  assert.deepEqual([bought, covered_s], [100, 700]);
});

test('a device that is silent lowers the coverage for a week', () => {
  const meter = der('meter', 'energy_meter', { in: 100 });
  const day = emptyDerDay();
  const silent = (ageDays: number) => ({ ...der('solar', 'inverter', {}), day, lastAt: start - ageDays * dayMs });
  assert.equal(compose(meter, silent(6)).covered_s, 0);
  assert.equal(compose(meter, silent(8)).covered_s, 900);
});

test('energy that nothing explains belongs to the device that was not measured, else it is an error of measurement', () => {
  const charged = der('battery', 'inverter', { in: 500 });
  const without = compose(charged);
  assert.deepEqual([without.import, without.load, without.estimated, without.covered_s], [500, 0, 500, 0]);
  const half = compose(charged, der('meter', 'energy_meter', { in: 200, coveredMs: 450_000 }));
  assert.deepEqual([half.import, half.load, half.estimated], [500, 0, 300]);
  const measured = compose(charged, der('meter', 'energy_meter', { in: 495 }));
  assert.deepEqual([measured.import, measured.load, measured.estimated], [495, -5, 0]);
});

test('whole watt-hours add up to those of the day', () => {
  const day = emptyDerDay();
  for (let i = 0; i < 96; i++) {
    const record = { in: 0.4, out: 0, estimated: 0, coveredMs: quarterMs, readings: 1, chain: undefined };
    putRecord(day, i, { ...record, quarter: start / quarterMs + i });
  }
  const composed = composeDay([{ ...der('meter', 'energy_meter', {}), day }], start);
  assert.equal(
    composed.import.reduce((sum, value) => sum + value, 0),
    Math.round(96 * 0.4),
  );
});

test('a day is packed and unpacked unchanged, with the chain states of whole hours and the last two', () => {
  const fold = new Fold();
  const day = emptyDerDay();
  for (let at = start; at < start + dayMs / 2; at += 60_000) fold.add(at, at % 700, at / 60_000, Number.NaN);
  for (const record of fold.take()) putRecord(day, record.quarter - start / quarterMs, record);
  const unpacked = unpackDerDay(packDerDay(day, { withChains: true }));
  assert.deepEqual([...unpacked.chains.keys()].slice(-3), [43, 45, 46]);
  for (const [place, chain] of unpacked.chains) assert.deepEqual(chain, day.chains.get(place));
  assert.deepEqual({ ...unpacked, chains: 0 }, { ...day, chains: 0 });
  assert.equal(unpackDerDay(packDerDay(day, { withChains: false })).chains.size, 0);
  const site = composeDay([{ ...der('meter', 'energy_meter', {}), day }], start);
  assert.deepEqual(unpackSiteDay(packSiteDay(site)), site);
});
