import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { type Controls, commandedPower, createCommands } from './house/commands.ts';
import { householdLoad, isCarAtHome, solarTime } from './house/household.ts';
import { noise } from './house/noise.ts';
import * as house from './house/state.ts';

type GeoPosition = { latitude: number; longitude: number };

const yearMs = 365.2425 * dayMs;
const radians = Math.PI / 180;
const maxAttenuation = 0.8; // share of the light that an overcast sky absorbs

type Sky = ReturnType<typeof skyAt>;

/** Returns solar time, elevation of the sun, cloud cover (0 to 1) and share of the peak power, unless overridden. */
function skyAt(
  at: number,
  position: GeoPosition,
  seed: number,
  { clouds, sunHour }: Pick<house.Conditions, 'clouds' | 'sunHour'>,
) {
  const hour = sunHour ?? solarTime(at, position.longitude).hour;
  const height = sunHeight(at, position, hour);
  const cover = clouds ?? cloudCover(at, seed);
  return {
    hour,
    elevation_deg: Math.asin(height) / radians,
    clouds: cover,
    sunshine_fract: Math.max(0, height) ** 1.15 * (1 - maxAttenuation * cover),
  };
}

/** Returns the sine of the elevation of the sun. */
function sunHeight(at: number, position: GeoPosition, hour: number): number {
  const sinceSolstice = at / yearMs - 1970 + 10 / 365; // in years, from 22 December
  const declination = -23.44 * radians * Math.cos(2 * Math.PI * sinceSolstice);
  const latitude = position.latitude * radians;
  const hourAngle = (hour - 12) * 15 * radians;
  return Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(hourAngle);
}

/** Combines weather over hours with clouds over minutes. */
function cloudCover(at: number, seed: number): number {
  const weather = noise(seed + 1, at, 6 * hourMs);
  const cloud = noise(seed + 2, at, 7 * minuteMs);
  return weather * (0.5 + 0.5 * cloud);
}

export type House = Controls & {
  readonly sizes: HouseSizes;
  /** Returns the state at this time; the time never goes back. */
  at(now: number): house.HouseState;
};

export type AdjustableHouse = House & {
  conditions(): house.Conditions;
  /** Changes these conditions from now on. */
  setConditions(change: Partial<house.Conditions>): void;
  sky(now: number): Sky;
};

export type HouseSizes = typeof defaultSizes;

export const defaultSizes = {
  pvPeak_W: 8000,
  batteryCapacity_Wh: 10_000,
  battery_W: 5000,
  carCapacity_Wh: 60_000,
  charger_W: 11_000,
};

export type HouseModel = {
  seed: number;
  latitude?: number;
  longitude?: number;
  sizes?: Partial<HouseSizes>;
};

type HouseOptions = HouseModel & {
  clock: Clock;
  start?: Partial<house.HouseStart> | undefined;
  /** how long powers are taken as constant when energy is counted; shown powers are instantaneous */
  stepMs?: number;
};

type Stored = house.Levels & house.Counters;

const usualStepMs = 10_000;
const unsteady_W = 40; // by which a charger and the control of a battery vary
const chargingEfficiency = 0.95;
const minSoc_fract = 0.05;
const reserve_fract = 0.2; // below this, a battery discharges only on command
const tripHome_fract = 0.18; // used by the car during the day
const defaultStart: house.HouseStart = {
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

/** Simulates sun, consumption, a battery in self-consumption, and a car at night. Deterministic for a seed and start. */
export function createHouse(options: HouseOptions): AdjustableHouse {
  const { seed, clock, latitude = 52, longitude = 5, sizes: changed = {}, start = {}, stepMs = usualStepMs } = options;
  const position = { latitude, longitude };
  const sizes = { ...defaultSizes, ...changed };
  const commands = createCommands();
  let conditions = house.defaultConditions;
  let since = clock.now();
  let stored: Stored = { ...defaultStart, ...start, isPlugged: isHome(since) };

  function isHome(at: number): boolean {
    if (conditions.isCarHome !== null) return conditions.isCarHome;
    return isCarAtHome(solarTime(at, longitude));
  }

  /** Returns a few watts more or less, which change within seconds. */
  const unsteady = (source: number, at: number): number =>
    Math.round(unsteady_W * (noise(seed + source, at, 4000) - 0.5));

  function chargerPower(at: number, levels: house.Levels): number {
    if (!levels.isPlugged) return 0;
    const { hour } = solarTime(at, longitude);
    const isCharging = levels.vehicle_soc_fract < 0.8 && (hour >= 22 || hour < 6);
    const own_W = isCharging ? 3680 + unsteady(24, at) : 0;
    const wanted_W = commands.charger(at)?.charger_W ?? conditions.carCharge_W ?? own_W;
    const store = { capacity_Wh: sizes.carCapacity_Wh, max_W: sizes.charger_W, min_fract: minSoc_fract, stepMs };
    return within(wanted_W, store, levels.vehicle_soc_fract);
  }

  function powersAt(at: number, levels: house.Levels): house.Powers {
    const household_W = householdLoad(at, solarTime(at, longitude), { latitude, seed });
    const load_W = Math.round(household_W + conditions.extraLoad_W);
    const { sunshine_fract } = skyAt(at, position, seed, conditions);
    const sun_W = Math.min(sizes.pvPeak_W * sunshine_fract, commands.pvLimit_W());
    const pv_W = 0 - Math.round(sun_W);
    const charger_W = chargerPower(at, levels);
    const others_W = load_W + pv_W + charger_W;
    const command = commands.battery(at);
    const own_W = -(load_W + pv_W) + unsteady(25, at); // the battery does not charge the car
    const wanted_W = commandedPower(command, own_W, others_W);
    const min_fract = command ? minSoc_fract : reserve_fract;
    const store = { capacity_Wh: sizes.batteryCapacity_Wh, max_W: sizes.battery_W, min_fract, stepMs };
    const battery_W = within(wanted_W, store, levels.battery_soc_fract);
    const excess_W = Math.max(0, -(others_W + battery_W) - commands.exportLimit_W());
    return { load_W, pv_W: Math.min(0, pv_W + Math.round(excess_W)), charger_W, battery_W };
  }

  /** Returns levels and counters after the powers at `since` have lasted until `at`. */
  function storedAt(at: number): Stored {
    const powers = powersAt(since, stored);
    const hours = (at - since) / hourMs;
    const meter_W = house.meterOf(powers);
    const isPlugged = isHome(at);
    const isBack = isPlugged && !stored.isPlugged && conditions.isCarHome === null;
    const driven = isBack ? tripHome_fract : 0;
    const filled = (W: number, capacity_Wh: number) => ((W > 0 ? W * chargingEfficiency : W) * hours) / capacity_Wh;
    return {
      isPlugged,
      battery_soc_fract: stored.battery_soc_fract + filled(powers.battery_W, sizes.batteryCapacity_Wh),
      vehicle_soc_fract: Math.max(
        minSoc_fract,
        stored.vehicle_soc_fract + filled(powers.charger_W, sizes.carCapacity_Wh) - driven,
      ),
      generated: stored.generated - powers.pv_W * hours,
      charged: stored.charged + Math.max(0, powers.battery_W) * hours,
      discharged: stored.discharged + Math.max(0, -powers.battery_W) * hours,
      vehicleCharged: stored.vehicleCharged + Math.max(0, powers.charger_W) * hours,
      vehicleDischarged: stored.vehicleDischarged + Math.max(0, -powers.charger_W) * hours,
      imported: stored.imported + Math.max(0, meter_W) * hours,
      exported: stored.exported + Math.max(0, -meter_W) * hours,
    };
  }

  function advance(now: number): void {
    for (;;) {
      const end = Math.min((Math.floor(since / stepMs) + 1) * stepMs, commands.nextEnd(since));
      if (end > now) return;
      stored = storedAt(end);
      since = end;
    }
  }

  /** Counts energy up to now, before a command changes the powers. */
  function upToNow(): void {
    const now = Math.max(since, clock.now());
    advance(now);
    stored = storedAt(now);
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
      const { isPlugged, battery_soc_fract, vehicle_soc_fract, ...Wh } = storedAt(latest);
      const powers = powersAt(latest, { ...stored, isPlugged });
      const levels = { isPlugged, battery_soc_fract, vehicle_soc_fract };
      return house.stateOf(latest, powers, levels, gridAt(latest, seed), Wh);
    },
    force: changing(commands.controls.force),
    forceCharger: changing(commands.controls.forceCharger),
    limitPv: changing(commands.controls.limitPv),
    limitExport: changing(commands.controls.limitExport),
    conditions: () => conditions,
    setConditions: changing((change: Partial<house.Conditions>) => {
      conditions = { ...conditions, ...change };
    }),
    sky: (now) => skyAt(now, position, seed, conditions),
  };
}

type EnergyStore = { capacity_Wh: number; max_W: number; min_fract: number; stepMs: number };

/** Limits a power to what a store can take or give for one step, given its size and state of charge. */
function within(wanted_W: number, { capacity_Wh, max_W, min_fract, stepMs }: EnergyStore, soc_fract: number): number {
  const perStep = (fract: number) => (Math.max(0, fract) * capacity_Wh * hourMs) / stepMs;
  const charge_W = Math.min(max_W, perStep(1 - soc_fract));
  const discharge_W = Math.min(max_W, perStep(soc_fract - min_fract));
  return Math.trunc(Math.min(charge_W, Math.max(-discharge_W, wanted_W))) || 0; // never -0
}

function gridAt(at: number, seed: number): house.Grid {
  const volts = (phase: number) => house.round(227 + 8 * noise(seed + 10 + phase, at, 90_000), 1);
  return { Hz: house.round(49.95 + 0.1 * noise(seed + 6, at, 30_000), 2), V: [volts(0), volts(1), volts(2)] };
}
