import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayPlan, Intent } from '#contract/gateway-plan.ts';
import { createPlanRule, type Readings } from './rule.ts';
import { battery, car, planOf, startMs } from './testing/plans.ts';
import { simulateDays } from './testing/simulated-days.ts';

type House = {
  load_W: number;
  sun_W?: number;
  battery_W?: number;
  wh?: number;
  car_W?: number;
  phase_A?: number[];
  isCarHeld?: boolean;
};

/** Readings of a house whose devices have these powers. */
function readingsOf(
  plan: GatewayPlan,
  at: number,
  { load_W, sun_W = 0, battery_W = 0, wh = 5000, car_W = 0, phase_A, isCarHeld }: House,
): Readings {
  const storages = plan.storages.flatMap(({ id }): [string, { W: number; wh: number; phase_A: undefined }][] => {
    if (id === car.id) return isCarHeld ? [] : [[id, { W: car_W, wh: 20_000, phase_A: undefined }]];
    return [[id, { W: battery_W, wh, phase_A: undefined }]];
  });
  return {
    grid: { at, W: load_W - sun_W + battery_W + car_W, phase_A },
    storages: new Map(storages),
    cars_W: car_W,
    solar: new Map(plan.solar?.map((sn) => [sn, sun_W])),
  };
}

/** The first decision for a house. */
function decide(plan: GatewayPlan, house: House) {
  const { storages, solar, state } = createPlanRule().decide(plan, startMs, readingsOf(plan, startMs, house));
  return { battery_W: storages.get(battery.id), car_W: storages.get(car.id), sun_W: solar.get('SUN1'), state };
}

const intent = (mode: Intent['mode'], power_w = 5000, wh = mode === 'discharge' ? 1000 : 10_000): Intent => ({
  mode,
  power_w,
  wh,
});
const withBattery = (mode: Intent['mode'], power_w?: number, changes: Partial<GatewayPlan> = {}) =>
  planOf({ [battery.id]: intent(mode, power_w) }, changes);
const withPeak = (plan: GatewayPlan, peak_w: number): GatewayPlan => ({
  ...plan,
  steps: plan.steps.map((step) => ({ ...step, peak_w })),
});

for (const { says, plan, house, battery_W } of [
  { says: 'charges with its power', plan: withBattery('charge', 2000), house: { load_W: 1000 }, battery_W: 2000 },
  {
    says: 'charges no further than planned',
    plan: planOf({ [battery.id]: intent('charge', 2000, 4000) }),
    house: { load_W: 0 },
    battery_W: 0,
  },
  {
    says: 'stores only what the sun leaves',
    plan: withBattery('store'),
    house: { load_W: 1000, sun_W: 3000 },
    battery_W: 2000,
  },
  {
    says: 'buys nothing to store when the sun is low',
    plan: withBattery('store'),
    house: { load_W: 1000, sun_W: 900 },
    battery_W: 0,
  },
  { says: 'covers the load', plan: withBattery('cover'), house: { load_W: 1500, sun_W: 500 }, battery_W: -1000 },
  {
    says: 'covers no more than the intent allows',
    plan: withBattery('cover', 600),
    house: { load_W: 1500 },
    battery_W: -600,
  },
  { says: 'discharges into the grid', plan: withBattery('discharge', 2000), house: { load_W: 500 }, battery_W: -2000 },
  { says: 'holds', plan: withBattery('hold'), house: { load_W: 1500, battery_W: -1500 }, battery_W: 0 },
  { says: 'keeps its reserve', plan: withBattery('cover'), house: { load_W: 1500, wh: 1000 }, battery_W: 0 },
  {
    says: 'charges less below the limit of import',
    plan: withBattery('charge', 5000, { import_limit_w: 4000 }),
    house: { load_W: 1000 },
    battery_W: 3000,
  },
  {
    says: 'discharges for the limit of import even while it holds',
    plan: withBattery('hold', 0, { import_limit_w: 4000 }),
    house: { load_W: 5000 },
    battery_W: -1000,
  },
  {
    says: 'discharges less for the limit of export',
    plan: withBattery('discharge', 3000, { export_limit_w: 500 }),
    house: { load_W: 1000 },
    battery_W: -1500,
  },
  {
    says: 'charges what may not be exported',
    plan: withBattery('hold', 0, { export_limit_w: 0 }),
    house: { load_W: 0, sun_W: 2000 },
    battery_W: 2000,
  },
  {
    says: 'stays below the planned peak',
    plan: withPeak(withBattery('charge'), 3000),
    house: { load_W: 1000 },
    battery_W: 1950,
  },
  {
    says: 'discharges for the planned peak even while it holds',
    plan: withPeak(withBattery('hold'), 3000),
    house: { load_W: 5000 },
    battery_W: -2050,
  },
  {
    says: 'does not charge beyond the fuse',
    plan: withBattery('charge', 5000, { fuse_a: 16 }),
    house: { load_W: 3000, phase_A: [10, 1, 2] },
    battery_W: 1270,
  },
  {
    says: 'discharges when the load exceeds the fuse',
    plan: withBattery('hold', 0, { fuse_a: 16 }),
    house: { load_W: 4600, phase_A: [17, 1, 2] },
    battery_W: -1021,
  },
] satisfies { says: string; plan: GatewayPlan; house: House; battery_W: number }[]) {
  test(`a battery ${says}`, () => assert.equal(decide(plan, house).battery_W, battery_W));
}

test('a battery that may not charge the car covers the house alone', () => {
  const intents = { [battery.id]: intent('cover'), [car.id]: intent('charge', 11_000, 50_000) };
  const plan = planOf(intents, { storages: [{ ...battery, for_car: false }, car] });
  const house = { load_W: 800, car_W: 11_000 };
  assert.deepEqual([decide(plan, house).battery_W, decide(plan, house).car_W], [-800, 11_000]);
  assert.equal(decide(plan, { ...house, isCarHeld: true }).battery_W, -800, 'also a car that a person charges');
  assert.equal(decide({ ...plan, storages: [battery, car] }, house).battery_W, -5000);
});

test('a step of few watt-hours is carried out, and ends at the planned level', () => {
  const plan = planOf({ [battery.id]: intent('charge', 400, 5100) });
  assert.equal(decide(plan, { load_W: 500, wh: 5000 }).battery_W, 400);
  assert.equal(decide(plan, { load_W: 500, wh: 5100, battery_W: 400 }).battery_W, 0);
});

test('a car stops rather than charge with less than it can', () => {
  const plan = planOf({ [car.id]: intent('charge', 11_000, 50_000) }, { import_limit_w: 4000 });
  assert.equal(decide(plan, { load_W: 1000, car_W: 4140 }).car_W, 0);
});

test('the sun is curtailed where the plan says so, and for the limit of export', () => {
  const plan = withBattery('hold', 0, { solar: ['SUN1'], export_limit_w: 1000 });
  const full = { load_W: 500, sun_W: 4000, wh: 10_000 };
  assert.equal(decide(plan, full).sun_W, 1500);
  assert.equal(decide({ ...plan, export_limit_w: 9000 }, full).sun_W, undefined);
  const steps = plan.steps.map((step) => ({ ...step, solar_max_w: 700 }));
  assert.equal(decide({ ...plan, steps, export_limit_w: 9000 }, full).sun_W, 700);
});

test('nothing is controlled without a fresh reading of the grid meter, or after the plan', () => {
  const plan = withBattery('charge');
  const readings = readingsOf(plan, startMs, { load_W: 0 });
  const rule = createPlanRule();
  const outcome = (afterMs: number, given = readings) => {
    const { state, storages } = rule.decide(plan, startMs + afterMs, given);
    return [state, storages.size];
  };
  assert.deepEqual(outcome(30_000), ['following', 1]);
  assert.deepEqual(outcome(30_001), ['waiting', 0]);
  assert.deepEqual(outcome(1000, { ...readings, grid: undefined }), ['waiting', 0]);
  assert.deepEqual(outcome(3_600_000), ['ended', 0]);
});

test('a setpoint follows the load at most every 5 s, not within the dead band, and at once for the limit of import', () => {
  const rule = createPlanRule();
  const plan = withBattery('cover', 5000, { import_limit_w: 4000 });
  let battery_W = 0;
  const after = (second: number, load_W: number) => {
    const at = startMs + second * 1000;
    battery_W = rule.decide(plan, at, readingsOf(plan, at, { load_W, battery_W })).storages.get(battery.id)!;
    return battery_W;
  };
  assert.equal(after(0, 1000), -1000);
  assert.equal(after(1, 2000), -1000);
  assert.equal(after(5, 2000), -2000);
  assert.equal(after(11, 2050), -2000);
  assert.equal(after(12, 7000), -5000);
});

test('a clock that is set back does not delay a correction', () => {
  const rule = createPlanRule();
  const plan = withBattery('hold', 0, { import_limit_w: 4000 });
  const power = (at: number, load_W: number): number | undefined =>
    rule.decide(plan, at, readingsOf(plan, at, { load_W })).storages.get(battery.id);
  assert.equal(power(startMs + 1_800_000, 1000), 0);
  assert.equal(power(startMs, 6000), -2000);
});

test('the import of a window so far decides what is still allowed', () => {
  const rule = createPlanRule();
  const plan = withPeak(withBattery('hold'), 3000);
  const half = startMs + 1_800_000;
  for (let at = startMs; at <= half; at += 10_000) rule.decide(plan, at, readingsOf(plan, at, { load_W: 2000 }));
  const { storages } = rule.decide(plan, half + 10_000, readingsOf(plan, half + 10_000, { load_W: 4500 }));
  assert.ok(storages.get(battery.id)! > -600, 'the half hour below the peak is credit');
});

test('in simulated days no phase exceeds the fuse for more than 5 s, and devices are written rarely', () => {
  for (const seed of [3, 7]) {
    const { excessS, charged_Wh, writes } = simulateDays(seed, 0.5);
    assert.equal(excessS, 0);
    assert.ok(charged_Wh > 5000);
    assert.ok(writes < 1000, 'once in 40 s or less');
  }
  assert.ok(simulateDays(7, 0.25, 'no fuse').excessS > 0, 'the planted mistake is noticed');
});
