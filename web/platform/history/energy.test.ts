import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteHistory } from '#contract/cloud/telemetry.ts';
import { bucketsOf, calendarBarsOf } from './buckets.ts';
import { energiesOf } from './energy.ts';
import { costOf, hasKnownCost, totalsOf } from './totals.ts';

const hour = 3_600_000;
const zero = Date.parse('2026-06-01T00:00:00Z');

/** Returns hourly powers from midnight; undefined means not measured. */
function history(powers: Record<string, (number | undefined)[]>): SiteHistory {
  const series = Object.entries(powers).map(([kind, watts]) => ({
    kind,
    points: watts.flatMap((W, i) => (W === undefined ? [] : [{ timestamp: zero + i * hour, W }])),
  }));
  return { site_id: 's', from: '', to: '', resolution: '1h', series };
}
const day = { from: zero, to: zero + 24 * hour };
const hours = (from: number, to: number) => ({ from: zero + from * hour, to: zero + to * hour });

test('each direction has its own sum', () => {
  const buckets = bucketsOf(
    history({ meter: [1000, -500], pv: [-200, -3000], battery: [300, -100], charger: [0, 700], load: [900, 1900] }),
  );
  assert.deepEqual(energiesOf(buckets, [day])[0], {
    generated: 3200,
    imported: 1000,
    discharged: 100,
    carGave: 0,
    house: 2800,
    carTook: 700,
    charged: 300,
    exported: 500,
  });
});

test('an unmeasured flow has no sum, and a gap adds nothing', () => {
  const [energies] = energiesOf(bucketsOf(history({ meter: [1000, undefined, 1000] })), [day]);
  assert.deepEqual(energies, { imported: 2000, exported: 0 });
  assert.deepEqual(energiesOf(bucketsOf(history({})), [day]), [{}]);
});

test('a bucket is split between the ranges that share it', () => {
  const buckets = bucketsOf(history({ meter: [1000, 2000] }));
  const sums = energiesOf(buckets, [hours(0, 0.5), hours(0.5, 1.25), hours(1.25, 1.5)]);
  assert.deepEqual(
    sums.map(({ imported }) => imported),
    [500, 1000, 500],
  );
});

test('self-sufficiency is the share of consumption that was not imported', () => {
  const { used, selfSufficiency, coverage } = totalsOf(
    bucketsOf(history({ meter: [1000, 0], pv: [0, -3000], charger: [0, 1000], load: [1000, 2000] })),
    hours(0, 2),
  );
  assert.deepEqual({ used, selfSufficiency, coverage }, { used: 4000, selfSufficiency: 0.75, coverage: 1 });
});

test('import without known consumption does not lower self-sufficiency', () => {
  const totals = totalsOf(bucketsOf(history({ meter: [500, 9000], load: [1000, undefined] })), hours(0, 2));
  assert.equal(totals.selfSufficiency, 0.5);
  assert.equal(totals.imported, 9500);
});

test('coverage is the share of time in which all kinds were measured', () => {
  const buckets = bucketsOf(history({ meter: [1, 1, 1, undefined], pv: [0, undefined, 0, 0] }));
  assert.equal(totalsOf(buckets, hours(0, 4)).coverage, 0.5);
  assert.equal(totalsOf(bucketsOf(history({})), hours(0, 4)).coverage, 0);
});

test('charging a battery from the grid does not make self-sufficiency negative', () => {
  const totals = totalsOf(bucketsOf(history({ meter: [5000], battery: [4000], load: [1000] })), hours(0, 1));
  assert.equal(totals.selfSufficiency, 0);
});

test('import costs the price of its interval; energy without a price is counted separately', () => {
  const at = (from: number) => ({
    start: new Date(zero + from * hour).toISOString(),
    end: new Date(zero + (from + 0.5) * hour).toISOString(),
  });
  const parts = [{ kind: 'spot' as const, amount: 1, source: 'market' }];
  const cost = costOf(bucketsOf(history({ meter: [2000, -4000, 1000] })), {
    intervals: [
      { ...at(0), total: 1, parts },
      { ...at(0.5), total: 3, parts },
      { ...at(1), total: 100, parts },
    ],
  });
  assert.deepEqual(cost, { amount: 4, priced: 2000, parts: ['spot'] });
});

for (const { says, from, to, kind, count } of [
  {
    says: 'the 23-hour day in spring',
    from: '2026-03-28T23:00:00Z',
    to: '2026-03-29T22:00:00Z',
    kind: 'hour',
    count: 23,
  },
  {
    says: 'the 25-hour day in autumn',
    from: '2026-10-24T22:00:00Z',
    to: '2026-10-25T23:00:00Z',
    kind: 'hour',
    count: 25,
  },
  {
    says: 'a week with a clock change',
    from: '2026-10-18T22:00:00Z',
    to: '2026-10-25T23:00:00Z',
    kind: 'day',
    count: 7,
  },
  { says: 'March', from: '2026-02-28T23:00:00Z', to: '2026-03-31T22:00:00Z', kind: 'day', count: 31 },
  { says: 'a year', from: '2025-12-31T23:00:00Z', to: '2026-12-31T23:00:00Z', kind: 'month', count: 12 },
]) {
  test(`${says} has ${count} adjacent bars`, () => {
    const range = { from: Date.parse(from), to: Date.parse(to) };
    const { kind: found, slots } = calendarBarsOf(range, 'Europe/Stockholm');
    assert.deepEqual([found, slots.length], [kind, count]);
    assert.deepEqual([slots.at(0)?.from, slots.at(-1)?.to], [range.from, range.to]);
    assert.ok(slots.every((slot, i) => i === 0 || slot.from === slots[i - 1]?.to));
  });
}

test('hours follow the local clock of the site', () => {
  const { slots } = calendarBarsOf({ from: zero, to: zero + 2 * hour }, 'Asia/Kolkata');
  assert.deepEqual(
    slots.map(({ from, to }) => (to - from) / hour),
    [0.5, 1, 0.5],
  );
});

test('import without a price has no known cost, and no import costs nothing', () => {
  const none = costOf(bucketsOf(history({ meter: [2000] })), { intervals: [] });
  assert.equal(hasKnownCost(none, 2000), false);
  assert.equal(hasKnownCost(none, 0), true);
  assert.equal(hasKnownCost({ ...none, priced: 1000 }, 2000), true);
});
