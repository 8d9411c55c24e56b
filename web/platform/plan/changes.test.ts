import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SitePlanStep } from '#contract/cloud/plans.ts';
import { formatTime, hourMs, minuteMs } from '#contract/time.ts';
import { changesOf, type PlanBody } from './changes.ts';

const start = Date.parse('2026-11-19T12:00:00Z');
const quarterMs = 15 * minuteMs;

type Code = SitePlanStep['reason']['code'];
type Wanted = { battery?: number; car?: number; code?: Code; carCode?: Code };

const stepOf = ({ battery = 0, car = 0, code = 'none', carCode = code }: Wanted, n: number): SitePlanStep => {
  const reasonOf = (known: Code) => ({ code: known, text: `Step ${n}.` });
  const storage = (watts: number, known: Code) => ({
    charge_w: Math.max(0, watts),
    discharge_w: Math.max(0, -watts),
    wh: 1000,
    reason: reasonOf(known),
  });
  return {
    start: formatTime(start + n * quarterMs),
    end: formatTime(start + (n + 1) * quarterMs),
    import_price: 1,
    export_price: 0.5,
    is_price_assumed: false,
    load_w: 500,
    load_low_w: 300,
    load_high_w: 900,
    solar_w: 0,
    solar_low_w: 0,
    solar_high_w: 0,
    solar_used_w: 0,
    grid_w: 500,
    storages: { battery: storage(battery, code), car: storage(car, carCode) },
    reason: reasonOf(code),
  };
};

const planOf = (wanted: Wanted[]): PlanBody => ({
  id: 'p',
  made_at: formatTime(start),
  because: 'New prices.',
  currency: 'SEK',
  is_price_simulated: false,
  steps: wanted.map(stepOf),
  storages: [
    { der_id: 'battery', name: 'Battery', kind: 'battery', capacity_wh: 10_000, start_wh: 5000 },
    { der_id: 'car', name: 'Car', kind: 'car', capacity_wh: 60_000, start_wh: 20_000 },
  ],
  cost: { energy: 0, peaks: 0, wear: 0, over_import: 0, end_value: 0, total: 0 },
  self_consumption_cost: 0,
  saves: 0,
  sentence: '',
  peaks: [],
  planned_peak_kw: null,
  relaxed: [],
  assumed: [],
});

const shortOf = (plan: PlanBody, nowMs = start) =>
  changesOf(plan, nowMs).map(({ from, to, storage, direction, power_w, reason }) => [
    (from - start) / quarterMs,
    (to - start) / quarterMs,
    storage.der_id,
    direction,
    power_w,
    reason?.code,
  ]);

test('steps with the same reason are one change, with their highest power', () => {
  const cheap = { code: 'charge_cheap' } as const;
  const plan = planOf([
    { battery: 1000, ...cheap },
    { battery: 3000, ...cheap },
    {},
    { battery: -800, code: 'discharge_peak' },
  ]);
  assert.deepEqual(shortOf(plan), [
    [0, 2, 'battery', 'charge', 3000, 'charge_cheap'],
    [3, 4, 'battery', 'discharge', 800, 'discharge_peak'],
  ]);
  assert.equal(changesOf(plan, start)[0]?.reason?.text, 'Step 1.', 'of the step with the highest power');
});

test('waiting is not a change, and separates two changes if it is longer than half an hour', () => {
  const sun = { battery: 1000, code: 'charge_sun' } as const;
  const hold = { code: 'hold' } as const;
  const plan = planOf([sun, hold, hold, sun, hold, hold, hold, sun]);
  assert.deepEqual(
    shortOf(plan).map(([from, to]) => [from, to]),
    [
      [0, 4],
      [7, 8],
    ],
  );
});

test('a change has the reason of its storage', () => {
  const plan = planOf([{ battery: -500, car: 3700, code: 'discharge_peak', carCode: 'charge_goal' }]);
  assert.deepEqual(
    changesOf(plan, start).map(({ storage, reason }) => [storage.der_id, reason?.code]),
    [
      ['battery', 'discharge_peak'],
      ['car', 'charge_goal'],
    ],
  );
});

test('each storage has its own changes, in the order of time', () => {
  const plan = planOf([
    { car: 3700, code: 'charge_goal' },
    { battery: -500, car: 3700, code: 'charge_goal' },
  ]);
  assert.deepEqual(
    shortOf(plan).map(([from, to, id]) => [from, to, id]),
    [
      [0, 2, 'car'],
      [1, 2, 'battery'],
    ],
  );
});

test('what is over, or later than two days, is left out', () => {
  const isOn = (n: number): boolean => n % 4 === 0;
  const later = planOf(
    Array.from({ length: 4 * 60 }, (_, n) => ({ battery: isOn(n) ? 1000 : 0, code: 'charge_cheap' })),
  );
  const changes = changesOf(later, start + 5 * hourMs);
  assert.ok(changes.every(({ from, to }) => to > start + 5 * hourMs && from < start + 53 * hourMs));
  assert.equal(changes.length, 48);
});
