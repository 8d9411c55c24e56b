import {
  defaultPlanGoals,
  type PlanGoals,
  type PlanHistory,
  type SitePlan,
  type SitePlanStep,
} from '#contract/cloud/plans.ts';
import type { PlanSaying } from '#contract/plan-sentences.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';

export const goalsOf = (siteId: string, carId: string): PlanGoals => ({
  site_id: siteId,
  ...defaultPlanGoals,
  mode: 'control',
  cars: [{ der_id: carId, target_pct: 80, by: '07:00', days: [1, 2, 3, 4, 5] }],
});

type Storages = { batteryId: string; carId: string };

/** A plan of two winter days: the battery charges at night and covers the evening, the car is charged by seven. */
export function planOf(siteId: string, { batteryId, carId }: Storages, nowMs: number): SitePlan {
  const begin = Math.floor(nowMs / (15 * minuteMs)) * 15 * minuteMs;
  let [batteryWh, carWh] = [4000, 30_000];
  const steps = Array.from({ length: 192 }, (_, n): SitePlanStep => {
    const start = begin + n * 15 * minuteMs;
    const hour = (start % dayMs) / hourMs;
    const price = 1.1 + 0.6 * Math.sin(((hour - 10) / 24) * 4 * Math.PI);
    const isNight = hour < 5;
    const isEvening = hour >= 16 && hour < 20;
    const sun = Math.max(0, 2500 * Math.sin(((hour - 7) / 9) * Math.PI));
    const battery = isNight
      ? Math.min(1500, (9500 - batteryWh) * 4)
      : isEvening
        ? -Math.min(1200, (batteryWh - 1000) * 4)
        : 0;
    const car = isNight ? Math.min(3700, (48_000 - carWh) * 4) : 0;
    batteryWh += battery / 4;
    carWh += car / 4;
    const load = 600 + (isEvening ? 900 : 0);
    const code = battery > 0 ? 'charge_cheap' : battery < 0 ? 'discharge_peak' : 'hold';
    const reasonOf = (known: keyof typeof textOf) => ({
      code: known,
      text: textOf[known],
      says: saysOf(start)[known],
    });
    return {
      start: new Date(start).toISOString(),
      end: new Date(start + 15 * minuteMs).toISOString(),
      import_price: price,
      export_price: price / 2,
      is_price_assumed: n > 120,
      load_w: load,
      load_low_w: load * 0.7,
      load_high_w: load * 1.5,
      solar_w: sun,
      solar_low_w: sun * 0.5,
      solar_high_w: sun * 1.3,
      solar_used_w: sun,
      grid_w: load - sun + battery + car,
      storages: {
        [batteryId]: {
          charge_w: Math.max(0, battery),
          discharge_w: Math.max(0, -battery),
          wh: batteryWh,
          reason: reasonOf(code),
        },
        [carId]: { charge_w: car, discharge_w: 0, wh: carWh, reason: reasonOf(car > 0 ? 'charge_goal' : 'wait') },
      },
      reason: reasonOf(car > battery ? 'charge_goal' : code),
    };
  });
  return {
    site_id: siteId,
    status: 'current',
    mode: 'control',
    message: null,
    plan: {
      id: 'plan-1',
      made_at: new Date(nowMs - 4 * minuteMs).toISOString(),
      because: 'New prices were published.',
      currency: 'SEK',
      is_price_simulated: true,
      steps,
      storages: [
        { der_id: batteryId, name: 'Battery', kind: 'battery', capacity_wh: 10_000, start_wh: 4000 },
        { der_id: carId, name: 'Car', kind: 'car', capacity_wh: 60_000, start_wh: 30_000 },
      ],
      cost: { energy: 31.2, peaks: 6, wear: 1, over_import: 0, end_value: 0, total: 38.2 },
      self_consumption_cost: 59.9,
      saves: 21.7,
      sentence:
        'Saves 21.70 compared with self-consumption without a plan: 15.20 less for power charges, 6.50 less for energy.',
      peaks: [{ day: '2026-11-03', kw: 4.1 }],
      planned_peak_kw: 4.1,
      relaxed: [],
      assumed: [
        'Spot prices from 2026-11-21 00:00 on are assumed from recent days.',
        'Load and sun are forecast with weather of Open-Meteo (CC BY 4.0).',
        'Plans leave out "Reaktiv effekt" of "Effekttariff": it charges for reactive power.',
      ],
      not_planned: [
        'The car at Garage is not planned and charges by itself, because it has no departure. Enter one in the goals.',
      ],
      says: {
        because: { key: 'prices_published' },
        sentence: [
          { key: 'plan_saves', amount: 21.7 },
          { key: 'peaks_less', amount: 15.2 },
          { key: 'energy_less', amount: 6.5 },
        ],
        assumed: [
          { key: 'prices_assumed', at: '2026-11-20T23:00:00.000Z' },
          { key: 'weather_of', name: 'Open-Meteo' },
          null,
        ],
        not_planned: [{ key: 'car_no_departure', name: 'Garage' }],
      },
    },
    progress: { id: 'plan-1', state: 'following', message: 'No fresh readings of BAT-1.' },
  };
}

const textOf = {
  charge_cheap: 'Charging 1.5 kW at 0.76 per kWh: saves 0.61 per kWh at 17:00.',
  charge_goal: 'Charging 3.7 kW at 0.76 per kWh, to have 48.0 kWh by 07:00.',
  discharge_peak: 'Discharging 1.2 kW keeps the mean import at 0.3 kW; 1 kW more would add 49.00 to the power charge.',
  hold: 'Holding 3.5 kWh for 17:00, when a kWh costs 1.37 instead of 0.76.',
  wait: 'Waiting for 02:00, when a kWh costs 0.76 instead of 1.37.',
} as const;

const saysOf = (ms: number): Record<keyof typeof textOf, PlanSaying> => {
  const at = new Date(ms + 3 * hourMs).toISOString();
  return {
    charge_cheap: { key: 'bought_saves', power_kw: 1.5, price: 0.76, saved: 0.61, at },
    charge_goal: { key: 'bought_goal', power_kw: 3.7, price: 0.76, energy_kwh: 48, at },
    discharge_peak: { key: 'keeps_peak', power_kw: 1.2, grid_kw: 0.3, fee: 49 },
    hold: { key: 'held_for_price', energy_kwh: 3.5, at, price_then: 1.37, price: 0.76 },
    wait: { key: 'waits_for_price', at, price_then: 0.76, price: 1.37 },
  };
};

export const historyOf = (siteId: string): PlanHistory => ({
  site_id: siteId,
  currency: 'SEK',
  days: ['2026-11-18', '2026-11-17'].map((date, n) => ({
    date,
    plans: 26,
    promised: 20.1 + n,
    realised: 21.3 + n,
    self_consumption: n === 0 ? 29.4 : null,
    saved: n === 0 ? 8.1 : null,
    power: { promised: 240, realised: 250 - n, self_consumption: 310 },
    load_error_w: 130,
    solar_error_w: 90,
    price_error: null,
  })),
  month: {
    saved: 112.4,
    saved_energy: 52.4,
    power: { promised: 240, realised: 250, self_consumption: 310 },
    days: 18,
  },
});
