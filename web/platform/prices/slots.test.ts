import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Part, TotalInterval } from '#contract/price/total.ts';
import { blocksOf, crossesZero, extremesOf, isPublished, priceScale, slotAt, slotsOf } from './slots.ts';

const hour = 3_600_000;
const stockholm = 'Europe/Stockholm';

function intervalOf(start: string, amounts: Partial<Record<Part['kind'], number>>): TotalInterval {
  const parts = Object.entries(amounts).map(([kind, amount]) => ({ kind: kind as Part['kind'], amount, source: 's' }));
  const total = parts.reduce((sum, { amount }) => sum + amount, 0);
  return { start, end: new Date(Date.parse(start) + hour).toISOString(), total, parts };
}

for (const { day, stepMs, count } of [
  { day: '2026-11-15', stepMs: hour, count: 24 },
  { day: '2026-03-29', stepMs: hour, count: 23 },
  { day: '2026-10-25', stepMs: hour / 4, count: 100 },
]) {
  test(`${day} has ${count} steps`, () => assert.equal(slotsOf(day, [], stepMs, stockholm).length, count));
}

test('a slot has the price of its hour, or none', () => {
  const interval = intervalOf('2026-11-15T00:00:00.000Z', { spot: 1 });
  const slots = slotsOf('2026-11-15', [interval], hour, stockholm);
  assert.deepEqual(slots.map(({ interval: its }) => its?.total).slice(0, 3), [undefined, 1, undefined]);
  assert.equal(slotAt(slots, Date.parse('2026-11-15T00:59:59.999Z'))?.interval, interval);
  assert.equal(slotAt(slots, Date.parse('2026-11-15T23:00:00Z')), undefined);
});

test('slots stay aligned to UTC in a time zone with a half-hour offset', () => {
  const interval = intervalOf('2026-11-14T19:00:00.000Z', { spot: 1 });
  const slots = slotsOf('2026-11-15', [interval], hour, 'Asia/Kolkata');
  assert.equal(slots.length, 24);
  assert.equal(slots[0]?.interval, interval);
});

test('a day is published when most of it is known', () => {
  const first = intervalOf('2026-11-15T23:00:00.000Z', { spot: 1 });
  const slots = slotsOf('2026-11-16', [first], hour, stockholm);
  assert.equal(isPublished(slots), false);
  assert.equal(isPublished(slots.map((slot) => ({ ...slot, interval: first }))), true);
});

test('the extremes follow the shown price', () => {
  const intervals = [
    intervalOf('2026-11-15T10:00:00.000Z', { spot: 1, grid_energy: 3 }),
    intervalOf('2026-11-15T11:00:00.000Z', { spot: 2, grid_energy: 1 }),
    intervalOf('2026-11-15T12:00:00.000Z', { spot: 2, grid_energy: 1 }),
  ];
  const slots = slotsOf('2026-11-15', intervals, hour, stockholm);
  const starts = (shown: 'total' | 'spot') => {
    const { cheapest, dearest, mean } = extremesOf(slots, shown)!;
    return [new Date(cheapest.start).getUTCHours(), new Date(dearest.start).getUTCHours(), mean];
  };
  assert.deepEqual(starts('total'), [11, 10, 10 / 3]);
  assert.deepEqual(starts('spot'), [10, 11, 5 / 3]);
  assert.equal(extremesOf(slotsOf('2026-11-15', [], hour, stockholm), 'total'), undefined);
});

test('components are stacked, and negative ones hang below zero', () => {
  const interval = intervalOf('2026-11-15T10:00:00.000Z', {
    spot: -2,
    grid_energy: 1,
    energy_tax: 2,
    vat: -1,
    markup: 0,
  });
  assert.deepEqual(blocksOf(interval, 'total'), [
    { kind: 'spot', from: 0, to: -2 },
    { kind: 'grid_energy', from: 0, to: 1 },
    { kind: 'energy_tax', from: 1, to: 3 },
    { kind: 'vat', from: -2, to: -3 },
  ]);
  assert.deepEqual(blocksOf(interval, 'spot'), [{ kind: 'spot', from: 0, to: -2 }]);
  assert.deepEqual([crossesZero(blocksOf(interval, 'total')), crossesZero(blocksOf(interval, 'spot'))], [true, false]);
});

test('two components of a kind are one block', () => {
  const interval = intervalOf('2026-11-15T10:00:00.000Z', { grid_energy: 1 });
  interval.parts.push({ kind: 'grid_energy', amount: 0.5, source: 's' });
  assert.deepEqual(blocksOf(interval, 'total'), [{ kind: 'grid_energy', from: 0, to: 1.5 }]);
});

for (const { amounts, low, high, ticks, digits } of [
  { amounts: [0.3, 1.9], low: 0, high: 2, ticks: [0, 0.5, 1, 1.5, 2], digits: 1 },
  { amounts: [-0.02, 0.05], low: -0.02, high: 0.06, ticks: [-0.02, 0, 0.02, 0.04, 0.06], digits: 2 },
  { amounts: [-3, -1], low: -3, high: 1, ticks: [-3, -2, -1, 0, 1], digits: 0 },
  { amounts: [0], low: 0, high: 1, ticks: [0, 1], digits: 0 },
  { amounts: [], low: 0, high: 1, ticks: [0, 1], digits: 0 },
]) {
  test(`the scale of ${amounts.join(' and ') || 'unknown prices'} is round and includes zero`, () => {
    const slots = amounts.map((spot) => ({
      start: 0,
      end: hour,
      interval: intervalOf('1970-01-01T00:00:00.000Z', { spot }),
    }));
    assert.deepEqual(priceScale(slots, 'total'), { low, high, ticks, digits });
  });
}
