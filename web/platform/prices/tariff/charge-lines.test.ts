import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Component } from '#contract/price/eltariff.ts';
import { chargeLines, isEveryDay, isWholeDay, peakRuleOf } from './charge-lines.ts';

const winter = { fromIncluding: '2025-11-01', toExcluding: '2026-01-01' };
const spring = { fromIncluding: '2025-01-01', toExcluding: '2025-04-01' };

const componentOf = (more: Partial<Component>): Component => ({
  id: '1e52f9ec-52cf-509e-ba80-be761570d685',
  name: 'Effektavgift',
  type: 'peak',
  reference: 'main',
  validPeriod: winter,
  price: { priceExVat: 40, priceIncVat: 50, currency: 'SEK' },
  ...more,
});

const active = (from: string, to: string, include: string[], exclude: string[] = []) => ({
  fromIncluding: `${from}:00`,
  toExcluding: `${to}:00`,
  calendarPatternReferences: { include, exclude },
});

test('two seasons with the same price are one line', () => {
  const lines = chargeLines([componentOf({ validPeriod: spring }), componentOf({ reference: 'winter_2' })]);
  assert.deepEqual(
    lines.map(({ seasons }) => seasons),
    [[spring, winter]],
  );
});

test('a different price or hour is a separate line', () => {
  const price = { priceExVat: 80, priceIncVat: 100, currency: 'SEK' };
  const recurringPeriods = [
    { reference: 'main', frequency: 'P1D', activePeriods: [active('07:00', '19:00', ['weekdays'])] },
  ];
  assert.equal(chargeLines([componentOf({}), componentOf({ price }), componentOf({ recurringPeriods })]).length, 3);
});

test('hours of the same days are grouped', () => {
  const night = [
    active('00:00', '06:00', ['weekdays'], ['holidays']),
    active('22:00', '00:00', ['weekdays'], ['holidays']),
  ];
  const activePeriods = [...night, active('00:00', '00:00', ['weekends'])];
  const [line] = chargeLines([
    componentOf({ recurringPeriods: [{ reference: 'low', frequency: 'P1D', activePeriods }] }),
  ]);
  assert.deepEqual(line!.when, [
    {
      hours: [
        { from: '00:00', to: '06:00' },
        { from: '22:00', to: '00:00' },
      ],
      on: ['weekdays'],
      except: ['holidays'],
      reference: 'low',
    },
    { hours: [{ from: '00:00', to: '00:00' }], on: ['weekends'], except: [], reference: 'low' },
  ]);
  assert.deepEqual(line!.when.map(isWholeDay), [false, true]);
});

for (const { on, except, every } of [
  { on: ['all'], except: [], every: true },
  { on: ['weekdays', 'weekends'], except: [], every: true },
  { on: [], except: [], every: true },
  { on: ['weekdays'], except: [], every: false },
  { on: ['all'], except: ['holidays'], every: false },
]) {
  test(`${on.join(' and ') || 'no day in particular'} except ${except.join() || 'none'} is ${every ? 'every day' : 'not every day'}`, () => {
    assert.equal(isEveryDay({ hours: [], on, except, reference: 'main' }), every);
  });
}

for (const { text, rule } of [
  { text: 'peak(main)', rule: { kind: 'plain' } },
  { text: 'max(peak(high), peak(low)/2)', rule: { kind: 'less', reference: 'low', divisor: 2 } },
  { text: 'max(0, peak(reactive)-peak(base)/2)', rule: { kind: 'rule' } },
]) {
  test(`${text} is counted as ${rule.kind}`, () => assert.deepEqual(peakRuleOf(text), rule));
}
