import type { GatewayPlan, IntentMode } from '#contract/gateway-plan.ts';
import { createPlanRule, type Readings } from '../rule.ts';
import { createRandom, createSimulatedHouse, type SimulatedHouse } from './simulated-house.ts';

const hourMs = 3_600_000;
const startMs = Date.parse('2026-01-01T00:00:00Z');
const volts = 230;
const excess_fract = 1.05;
const maxExcessS = 5;

/** A mistake in the executor that the trials must notice. */
export type PlantedMistake = 'no fuse' | 'no peak';

export type DaysResult = {
  days: number;
  /** in which a phase exceeded the fuse by more than 5 % for more than 5 s */
  excessS: number;
  longestExcessS: number;
  months: number;
  /** months whose peak exceeded the planned one although the battery had energy */
  exceededMonths: number;
  /** setpoints written to devices */
  writes: number;
  charged_Wh: number;
};

/** Lets the executor follow hourly plans in a generated house for some days, second by second. */
export function simulateDays(seed: number, days: number, planted?: PlantedMistake): DaysResult {
  const random = createRandom(seed);
  const house = createSimulatedHouse(random);
  const rule = createPlanRule();
  const result: DaysResult = {
    days,
    excessS: 0,
    longestExcessS: 0,
    months: 0,
    exceededMonths: 0,
    writes: 0,
    charged_Wh: 0,
  };
  const overS = [0, 0, 0];
  let plan: GatewayPlan | undefined;
  let window = { Wh: 0, isAvoidable: false };
  let isMonthExceeded = false;
  let written = new Map<string, number>();

  for (let second = 0; second < days * 86_400; second++) {
    const now = startMs + second * 1000;
    if (second % 3600 === 0) {
      const limit_Wh = house.peak_w * 1.002;
      if (window.Wh > limit_Wh && window.isAvoidable) isMonthExceeded = true;
      window = { Wh: 0, isAvoidable: true };
      plan = planFor(house, now, random, planted);
    }
    house.step(second);
    const wishes = rule.decide(plan!, now, house.readings(now) satisfies Readings);
    for (const [id, W] of wishes.storages) if (written.get(id) !== W) result.writes++;
    for (const [sn, W] of wishes.solar) if (written.get(sn) !== W) result.writes++;
    written = new Map([...wishes.storages, ...wishes.solar]);
    house.command(second, wishes);

    window.Wh += Math.max(0, house.grid_W()) / 3600;
    // At its full power, or with an empty battery, a house cannot use less.
    if (!house.couldDischargeMore()) window.isAvoidable &&= house.grid_W() < house.peak_w;
    for (const phase of [0, 1, 2]) {
      const isOver = Math.abs(house.phase_W(phase)) / volts > house.fuse_A * excess_fract;
      const seconds = isOver ? (overS[phase] ?? 0) + 1 : 0;
      overS[phase] = seconds;
      result.longestExcessS = Math.max(result.longestExcessS, seconds);
      if (seconds > maxExcessS) result.excessS++;
    }
    if ((second + 1) % (30 * 86_400) === 0) {
      result.months++;
      if (isMonthExceeded) result.exceededMonths++;
      isMonthExceeded = false;
    }
  }
  result.charged_Wh = house.charged_Wh();
  return result;
}

/** A plan that a platform might make each hour, from what it expects: cheap at night, dear in the evening, sun at noon. */
function planFor(house: SimulatedHouse, now: number, random: () => number, planted?: PlantedMistake): GatewayPlan {
  const steps = Array.from({ length: 8 }, (_, n) => {
    const start = now + n * 900_000;
    const hour = Math.floor(start / hourMs) % 24;
    const modes: IntentMode[] =
      hour < 6
        ? ['charge', 'hold']
        : hour < 10
          ? ['cover']
          : hour < 16
            ? ['store', 'cover']
            : hour < 21
              ? ['cover', 'discharge']
              : ['hold', 'charge'];
    const mode = modes[Math.floor(random() * modes.length)]!;
    const carMode: IntentMode = hour < 6 || hour >= 20 ? 'charge' : 'store';
    const battery = house.storages[0]!;
    const car = house.storages[1];
    return {
      start,
      s: 900,
      grid_w: 0,
      intents: {
        [battery.id]: {
          mode,
          power_w: mode === 'discharge' ? 2000 : battery.charge_w,
          wh: mode === 'discharge' ? battery.min_wh : battery.max_wh,
        },
        ...(car && { [car.id]: { mode: carMode, power_w: car.charge_w, wh: car.max_wh } }),
      },
      ...(planted !== 'no peak' && { peak_w: house.peak_w }),
    };
  });
  return {
    id: `plan-${now}`,
    made_at: now,
    ends_at: now + 2 * hourMs,
    window_s: 3600,
    utc_offset_s: 0,
    storages: house.storages,
    steps,
    ...(planted !== 'no fuse' && { fuse_a: house.fuse_A }),
    solar: ['SUN1'],
  };
}
