import { hourMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { type Controls, commandedPower, createCommands } from './house/commands.ts';
import { type Conditions, ownConditions } from './house/conditions.ts';
import { householdLoad } from './house/household.ts';
import { noise } from './house/noise.ts';
import {
  type Counters,
  type Grid,
  type HouseStart,
  type HouseState,
  type Levels,
  meterOf,
  type Powers,
  round,
  stateOf,
} from './house/state.ts';
import { type Sky, skyAt, solarHour } from './house/sun.ts';

export type House = Controls & {
  readonly sizes: HouseSizes;
  /** How things stand; never earlier than it was asked for before. */
  at(now: number): HouseState;
};

/** A house that somebody can play with. */
export type LivingHouse = House & {
  conditions(): Conditions;
  /** Changes these from now on. */
  play(change: Partial<Conditions>): void;
  sky(now: number): Sky;
};

export type HouseSizes = {
  pvPeak_W: number;
  batteryCapacity_Wh: number;
  battery_W: number;
  carCapacity_Wh: number;
  charger_W: number;
};

export const usualSizes: HouseSizes = {
  pvPeak_W: 8000,
  batteryCapacity_Wh: 10_000,
  battery_W: 5000,
  carCapacity_Wh: 60_000,
  charger_W: 11_000,
};

/** What makes a house this one. */
export type HouseModel = {
  seed: number;
  latitude?: number;
  longitude?: number;
  sizes?: Partial<HouseSizes>;
};

export type HouseOptions = HouseModel & { clock: Clock; start?: Partial<HouseStart> | undefined };

type Kept = Levels & Counters;

const stepMs = 10_000; // powers are held this long when energy is counted; what is shown is of the moment
const chargingEfficiency = 0.95;
const emptiest_fract = 0.05;
const reserve_fract = 0.2; // below it a battery gives only when it is told to
const tripHome_fract = 0.25; // what the car has used when it comes back
const usualStart: HouseStart = {
  battery_soc_fract: 0.5,
  vehicle_soc_fract: 0.6,
  generated: 12_345_000,
  charged: 4_100_000,
  discharged: 3_900_000,
  vehicleCharged: 2_800_000,
  vehicleDischarged: 350_000,
  imported: 6_789_000,
  exported: 7_654_000,
};

/** Sun, people, a battery that follows them, and a car at night: the same for the same seed and start. */
export function createHouse(options: HouseOptions): LivingHouse {
  const { seed, clock, latitude = 52, longitude = 5, sizes: given = {}, start = {} } = options;
  const place = { latitude, longitude };
  const sizes = { ...usualSizes, ...given };
  const commands = createCommands();
  let conditions = ownConditions;
  let since = clock.now();
  let kept: Kept = { ...usualStart, ...start, isPlugged: isHome(since) };

  function isHome(at: number): boolean {
    if (conditions.isCarHome !== null) return conditions.isCarHome;
    const hour = solarHour(at, place);
    return hour >= 17.5 || hour < 7.5;
  }

  function chargerPower(at: number, levels: Levels): number {
    if (!levels.isPlugged) return 0;
    const hour = solarHour(at, place);
    const own_W = levels.vehicle_soc_fract < 0.8 && (hour >= 22 || hour < 6) ? 3680 : 0;
    const wanted_W = commands.charger(at)?.charger_W ?? conditions.carCharge_W ?? own_W;
    const store = { capacity_Wh: sizes.carCapacity_Wh, max_W: sizes.charger_W, least_fract: emptiest_fract };
    return within(wanted_W, store, levels.vehicle_soc_fract);
  }

  function powersAt(at: number, levels: Levels): Powers {
    const load_W = Math.round(householdLoad(at, solarHour(at, place), seed) + conditions.extraLoad_W);
    const { sunshine_fract } = skyAt(at, place, seed, conditions);
    const sun_W = Math.min(sizes.pvPeak_W * sunshine_fract, commands.pvLimit_W());
    const pv_W = 0 - Math.round(sun_W);
    const charger_W = chargerPower(at, levels);
    const others_W = load_W + pv_W + charger_W;
    const command = commands.battery(at);
    const wanted_W = commandedPower(command, -(load_W + pv_W), others_W); // it does not feed the car
    const least_fract = command ? emptiest_fract : reserve_fract;
    const store = { capacity_Wh: sizes.batteryCapacity_Wh, max_W: sizes.battery_W, least_fract };
    const battery_W = within(wanted_W, store, levels.battery_soc_fract);
    const excess_W = Math.max(0, -(others_W + battery_W) - commands.exportLimit_W());
    return { load_W, pv_W: Math.min(0, pv_W + Math.round(excess_W)), charger_W, battery_W };
  }

  /** What is kept after the powers at `since` have lasted until `at`. */
  function keptAt(at: number): Kept {
    const powers = powersAt(since, kept);
    const hours = (at - since) / hourMs;
    const meter_W = meterOf(powers);
    const isPlugged = isHome(at);
    const isBack = isPlugged && !kept.isPlugged && conditions.isCarHome === null;
    const driven = isBack ? tripHome_fract : 0;
    const filled = (W: number, capacity_Wh: number) => ((W > 0 ? W * chargingEfficiency : W) * hours) / capacity_Wh;
    return {
      isPlugged,
      battery_soc_fract: kept.battery_soc_fract + filled(powers.battery_W, sizes.batteryCapacity_Wh),
      vehicle_soc_fract: Math.max(
        emptiest_fract,
        kept.vehicle_soc_fract + filled(powers.charger_W, sizes.carCapacity_Wh) - driven,
      ),
      generated: kept.generated - powers.pv_W * hours,
      charged: kept.charged + Math.max(0, powers.battery_W) * hours,
      discharged: kept.discharged + Math.max(0, -powers.battery_W) * hours,
      vehicleCharged: kept.vehicleCharged + Math.max(0, powers.charger_W) * hours,
      vehicleDischarged: kept.vehicleDischarged + Math.max(0, -powers.charger_W) * hours,
      imported: kept.imported + Math.max(0, meter_W) * hours,
      exported: kept.exported + Math.max(0, -meter_W) * hours,
    };
  }

  function advance(now: number): void {
    for (;;) {
      const end = Math.min((Math.floor(since / stepMs) + 1) * stepMs, commands.nextEnd(since));
      if (end > now) return;
      kept = keptAt(end);
      since = end;
    }
  }

  /** Commands change the powers from now on, so what was until now is counted first. */
  function upToNow(): void {
    const now = Math.max(since, clock.now());
    advance(now);
    kept = keptAt(now);
    since = now;
  }

  const changing =
    <Args extends unknown[]>(change: (...args: Args) => void) =>
    (...args: Args): void => {
      upToNow();
      change(...args);
    };

  let latest = since;
  return {
    sizes,
    at(now) {
      latest = Math.max(latest, since, now);
      advance(latest);
      const { isPlugged, battery_soc_fract, vehicle_soc_fract, ...Wh } = keptAt(latest);
      const powers = powersAt(latest, { ...kept, isPlugged });
      const levels = { isPlugged, battery_soc_fract, vehicle_soc_fract };
      return stateOf(latest, powers, levels, gridAt(latest, seed), Wh);
    },
    force: changing(commands.controls.force),
    forceCharger: changing(commands.controls.forceCharger),
    limitPv: changing(commands.controls.limitPv),
    limitExport: changing(commands.controls.limitExport),
    conditions: () => conditions,
    play: changing((change: Partial<Conditions>) => {
      conditions = { ...conditions, ...change };
    }),
    sky: (now) => skyAt(now, place, seed, conditions),
  };
}

type EnergyStore = { capacity_Wh: number; max_W: number; least_fract: number };

/** The power that a store can take or give for one step, given its size and how full it is. */
function within(wanted_W: number, { capacity_Wh, max_W, least_fract }: EnergyStore, soc_fract: number): number {
  const perStep = (fract: number) => (Math.max(0, fract) * capacity_Wh * hourMs) / stepMs;
  const most_W = Math.min(max_W, perStep(1 - soc_fract));
  const least_W = Math.min(max_W, perStep(soc_fract - least_fract));
  return Math.trunc(Math.min(most_W, Math.max(-least_W, wanted_W))) || 0; // never -0
}

function gridAt(at: number, seed: number): Grid {
  const volts = (phase: number) => round(227 + 8 * noise(seed + 10 + phase, at, 90_000), 1);
  return { Hz: round(49.95 + 0.1 * noise(seed + 6, at, 30_000), 2), V: [volts(0), volts(1), volts(2)] };
}
