import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCalendar } from '#contract/price/tariff-rules.ts';
import { amount } from '#test/amount.ts';
import type { CalendarPattern, Component, RecurringPeriod, Tariff } from './eltariff.ts';
import { activeComponents } from './tariff-book.ts';
import { paintedComponents } from './testing/painted.ts';

type Slot = RecurringPeriod['activePeriods'][number];

const patterns: CalendarPattern[] = [
  { reference: 'weekdays', frequency: 'P1W', days: [1, 2, 3, 4, 5], dates: [] },
  { reference: 'weekends', frequency: 'P1W', days: [6, 7], dates: [] },
  { reference: 'all', frequency: 'P1W', days: [1, 2, 3, 4, 5, 6, 7] },
  { reference: 'holidays', frequency: 'P1Y', days: [], dates: ['2025-01-06', '2025-12-24', '2025-12-25'] },
  { reference: 'mixed', frequency: 'P1W', days: [3], dates: ['2025-01-06'] },
];

const slot = (from: string, to: string, include: string[] = [], exclude: string[] = []): Slot => ({
  fromIncluding: from,
  toExcluding: to,
  calendarPatternReferences: { include, exclude },
});

const tariffWith = (...components: Partial<Component>[]): Tariff =>
  ({
    validPeriod: { fromIncluding: '2025-01-01', toExcluding: '2026-01-01' },
    powerPrice: {
      components: components.map((component, index) => ({
        reference: String(index),
        validPeriod: { fromIncluding: '2025-01-01', toExcluding: '2026-01-01' },
        ...component,
      })),
    },
  }) as Tariff;

const recurring = (...activePeriods: Slot[]): RecurringPeriod[] => [
  { reference: 'main', frequency: 'P1D', activePeriods },
];

const isActive = (component: Partial<Component>, at: string): boolean => {
  const [date = '', time = ''] = at.split(' ');
  const found = activeComponents(tariffWith(component), 'powerPrice', { date, time }, createCalendar(patterns));
  return found.length === 1;
};

const monday = '2025-01-13';
const sunday = '2025-01-12';
const epiphany = '2025-01-06'; // a Monday

for (const [says, slots, at, expected] of [
  ['the start is included', [slot('07:00:00', '19:00:00')], `${monday} 07:00:00`, true],
  ['the end is excluded', [slot('07:00:00', '19:00:00')], `${monday} 19:00:00`, false],
  ['a second before the end is included', [slot('07:00:00', '19:00:00')], `${monday} 18:59:59`, true],
  ['midnight to midnight is the whole day', [slot('00:00:00', '00:00:00')], `${monday} 23:59:59`, true],
  ['an end at midnight is the end of the day', [slot('22:00:00', '00:00:00')], `${monday} 23:00:00`, true],
  ['and not of the day before', [slot('22:00:00', '00:00:00')], `${monday} 00:00:00`, false],
  ['an end before the start wraps', [slot('22:00:00', '06:00:00')], `${monday} 05:59:59`, true],
  ['and excludes the hours between', [slot('22:00:00', '06:00:00')], `${monday} 12:00:00`, false],
  ['a wrapped hour counts for its own day', [slot('22:00:00', '06:00:00', ['weekends'])], `${monday} 05:00:00`, false],
  ['so Sunday morning counts as Sunday', [slot('22:00:00', '06:00:00', ['weekends'])], `${sunday} 05:00:00`, true],
  ['without included patterns every day counts', [slot('00:00:00', '00:00:00', [])], `${sunday} 12:00:00`, true],
  [
    'one of several included is enough',
    [slot('00:00:00', '00:00:00', ['weekdays', 'weekends'])],
    `${sunday} 12:00:00`,
    true,
  ],
  ['a day of the week matches', [slot('00:00:00', '00:00:00', ['weekdays'])], `${sunday} 12:00:00`, false],
  ['the pattern of all days is not the weekend', [slot('00:00:00', '00:00:00', ['all'])], `${monday} 12:00:00`, true],
  [
    'an excluded holiday is excluded',
    [slot('07:00:00', '19:00:00', ['weekdays'], ['holidays'])],
    `${epiphany} 08:00:00`,
    false,
  ],
  ['a holiday can be included', [slot('00:00:00', '00:00:00', ['weekends', 'holidays'])], `${epiphany} 08:00:00`, true],
  ['days and dates of one pattern both count', [slot('00:00:00', '00:00:00', ['mixed'])], `${epiphany} 08:00:00`, true],
  ['an unknown name includes nothing', [slot('00:00:00', '00:00:00', ['nobody'])], `${monday} 08:00:00`, false],
  ['an unknown name excludes nothing', [slot('00:00:00', '00:00:00', ['all'], ['nobody'])], `${monday} 08:00:00`, true],
  [
    'one matching slot is enough',
    [slot('00:00:00', '06:00:00'), slot('22:00:00', '00:00:00')],
    `${monday} 22:00:00`,
    true,
  ],
] as const) {
  test(says, () => assert.equal(isActive({ recurringPeriods: recurring(...slots) }, at), expected));
}

test('a component without recurring periods is in force throughout its validity', () => {
  const validPeriod = { fromIncluding: '2025-03-01', toExcluding: '2025-04-01' };
  for (const recurringPeriods of [undefined, []]) {
    const component = { validPeriod, ...(recurringPeriods && { recurringPeriods }) };
    assert.equal(isActive(component, '2025-02-28 23:59:59'), false);
    assert.equal(isActive(component, '2025-03-01 00:00:00'), true);
    assert.equal(isActive(component, '2025-03-31 23:59:59'), true);
    assert.equal(isActive(component, '2025-04-01 00:00:00'), false);
  }
});

test('a component ends with its tariff', () => {
  const component = { validPeriod: { fromIncluding: '2024-01-01', toExcluding: '2027-01-01' } };
  assert.equal(isActive(component, '2025-12-31 12:00:00'), true);
  assert.equal(isActive(component, '2026-01-01 12:00:00'), false);
  assert.equal(isActive(component, '2024-12-31 12:00:00'), false);
});

const two = (number: number): string => String(number).padStart(2, '0');
const anyDate = fc
  .integer({ min: Date.UTC(2024, 11, 20) / 86_400_000, max: Date.UTC(2026, 0, 10) / 86_400_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
const onTheHour = fc.integer({ min: 0, max: 23 }).map((hour) => `${two(hour)}:00:00`);
const anyTime = fc.oneof(
  onTheHour,
  fc
    .integer({ min: 0, max: 86_399 })
    .map((s) => `${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`),
);
const anyReferences = fc.subarray(['weekdays', 'weekends', 'all', 'holidays', 'mixed', 'nobody'], { maxLength: 3 });
const anySlot = fc.tuple(anyTime, anyTime, anyReferences, anyReferences).map((parts) => slot(...parts));
const anyInterval = fc.tuple(anyDate, anyDate).map(([fromIncluding, toExcluding]) => ({ fromIncluding, toExcluding }));
const anyPeriods = fc.array(
  fc.array(anySlot, { maxLength: 3 }).map((slots) => recurring(...slots)[0]!),
  { maxLength: 3 },
);
const anyComponent = fc.record({ validPeriod: anyInterval, recurringPeriods: anyPeriods });

test('the components in force match an independent brute-force search', () => {
  const calendar = createCalendar(patterns);
  fc.assert(
    fc.property(fc.array(anyComponent, { maxLength: 5 }), anyDate, anyTime, (components, date, time) => {
      const tariff = tariffWith(...components);
      const found = activeComponents(tariff, 'powerPrice', { date, time }, calendar);
      assert.deepEqual(found, paintedComponents(tariff, 'powerPrice', { date, time }, patterns));
    }),
    { numRuns: amount(3000) },
  );
});
