import type { PlanGoals } from '#contract/cloud/plans.ts';
import { maxPlanStorages, type PlanStorage } from '#contract/plan.ts';
import type { PlanSaying } from '#contract/plan-sentences.ts';
import { dayMs, hourMs, isCurrentAt } from '#contract/time.ts';
import type { PlanDer } from '../store/plans.ts';
import { type CarTimes, departuresIn, presenceOf } from './departures.ts';

export type Reading = { at: number; values: Record<string, unknown> };

/** A storage of a site as the planner sees it, and what is shown of it. */
export type SiteStorage = { der: PlanDer; storage: PlanStorage };

export type StorageInputs = CarTimes & {
  goals: PlanGoals;
  ders: readonly PlanDer[];
  /** the last readings, by the number of the DER */
  readings: ReadonlyMap<number, Reading>;
  /** worth of a stored kWh at the end */
  endValue: number;
  wear: number;
  /** by car: chance in each step that it is connected, NaN without history */
  present: Readonly<Record<string, readonly number[]>>;
};

type Found = {
  storages: SiteStorage[];
  assumed: (string | PlanSaying)[];
  /** what keeps a storage from being planned */
  missing: PlanSaying[];
  /** storages without a goal, which are left out */
  unplanned: PlanSaying[];
  /** what cars charge after the time in which they are planned, W in each step */
  later_w: number[];
};

const chargeEfficiency = 0.95;
const dischargeEfficiency = 0.95;
const plannedMs = 2 * dayMs; // the least power of charging for a whole month would take the solver too long
const usualHours = 2; // in which a battery is full, where its power is not known
const reserveWithinMs = 12 * 3_600_000; // a reserve that is missing is charged by then
const leastCarW = 1380; // 6 A at 230 V, the least of a charger on one phase
const usualCarW = 3680;
const drivenShare = 0.2; // of the capacity, on an average day

/**
 * Finds the batteries and cars that can be planned, the largest if there are too many for a plan. Names what is assumed, and what has to
 * be entered first.
 */
export function storagesOf(inputs: StorageInputs): Found {
  const found = allStoragesOf(inputs);
  const left = smallestBeyondPlan(found.storages);
  if (left.size === 0) return found;
  const rest = allStoragesOf({ ...inputs, ders: inputs.ders.filter((der) => !left.has(der)) });
  rest.unplanned.push(...Array.from(left, ({ device: name }) => ({ key: 'too_many_storages', name }) as const));
  return rest;
}

/** Returns the smallest storages, if a site has more than a plan may contain. */
function smallestBeyondPlan(storages: readonly SiteStorage[]): Set<PlanDer> {
  const bySize = storages.toSorted((one, other) => other.storage.capacity_wh - one.storage.capacity_wh);
  return new Set(bySize.slice(maxPlanStorages).map(({ der }) => der));
}

function allStoragesOf(inputs: StorageInputs): Found {
  const found: Found = {
    storages: [],
    assumed: [],
    missing: [],
    unplanned: [],
    later_w: inputs.edges.slice(1).map(() => 0),
  };
  for (const der of inputs.ders) {
    if (der.type === 'battery') addBattery(found, der, inputs);
    if (der.type === 'ev_charger_port') addCar(found, der, inputs);
  }
  return found;
}

type LastReadings = Pick<StorageInputs, 'readings' | 'now'>;

const currentOf = ({ readings, now }: LastReadings, { no }: PlanDer): Reading | undefined => {
  const reading = readings.get(no);
  return reading && isCurrentAt(reading.at, now) ? reading : undefined;
};

/** Lists the storages with goals whose state is not known at the moment, because nothing current was received. */
export const silentStorages = (known: LastReadings & Pick<StorageInputs, 'goals' | 'ders'>): PlanDer[] =>
  known.ders.filter((der) => isPlanned(known, der) && !currentOf(known, der));

const isPlanned = ({ goals }: Pick<StorageInputs, 'goals'>, { type, id }: PlanDer): boolean =>
  type === 'battery' || (type === 'ev_charger_port' && goals.cars.some(({ der_id }) => der_id === id));

/** Returns a function that reads a finite number of the last reading; undefined if that is old. */
function readerOf(inputs: StorageInputs, der: PlanDer) {
  const reading = currentOf(inputs, der);
  return (field: string): number | undefined => {
    const value = reading?.values[field];
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  };
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined;

function addBattery(found: Found, der: PlanDer, inputs: StorageInputs): void {
  const { goals, edges, endValue, wear } = inputs;
  const { device: name } = der;
  if (!currentOf(inputs, der)) return void found.missing.push({ key: 'battery_silent', name });
  const read = readerOf(inputs, der);
  const given = goals.storages.find(({ der_id }) => der_id === der.id);
  const capacity = given?.capacity_wh ?? positive(read('capacity_Wh'));
  const soc = read('SoC_nom_fract');
  if (capacity === undefined) return void found.missing.push({ key: 'battery_size_missing', name });
  if (soc === undefined) return void found.missing.push({ key: 'battery_level_missing', name });
  const rated = positive(read('rated_power_W'));
  const usual = rated ?? capacity / usualHours;
  if (rated === undefined && given?.charge_w === undefined)
    found.assumed.push({ key: 'battery_assumed', name, power_kw: Number((usual / 1000).toFixed(1)) });
  const reserve = (capacity * goals.reserve_pct) / 100;
  const start = capacity * Math.min(1, Math.max(0, soc));
  const refill = edges.findIndex((end, n) => n > 0 && end - edges[0]! >= reserveWithinMs) - 1;
  found.storages.push({
    der,
    storage: {
      id: der.id,
      kind: 'battery',
      capacity_wh: capacity,
      min_wh: Math.min(reserve, start),
      max_wh: capacity,
      start_wh: start,
      charge_w: given?.charge_w ?? usual,
      discharge_w: given?.discharge_w ?? given?.charge_w ?? usual,
      charge_efficiency: chargeEfficiency,
      discharge_efficiency: dischargeEfficiency,
      to_grid: goals.battery_to_grid,
      end_value_per_kwh: endValue,
      wear_per_kwh: wear,
      ...(start < reserve && refill >= 0 && { goals: [{ step: refill, wh: reserve }] }),
    },
  });
}

/** Adds a car that has a departure; others charge as they like. */
function addCar(found: Found, der: PlanDer, inputs: StorageInputs): void {
  const departures = inputs.goals.cars.filter(({ der_id }) => der_id === der.id);
  const { device: name } = der;
  if (departures.length === 0) return void found.unplanned.push({ key: 'car_no_departure', name });
  const given = inputs.goals.storages.find(({ der_id }) => der_id === der.id);
  const isSilent = currentOf(inputs, der) === undefined;
  if (isSilent && given?.energy_needed_wh === undefined) return void found.missing.push({ key: 'car_silent', name });
  const read = readerOf(inputs, der);
  const soc = read('vehicle_soc_fract');
  const session = read('session_charge_Wh') ?? 0;
  const isConnected = soc !== undefined || session > 0 || Math.abs(read('W') ?? 0) > 50;
  const known = given?.capacity_wh ?? positive(read('capacity_Wh'));
  const needed = given?.energy_needed_wh;
  // A charger knows the level of a car only while it is connected.
  const isAway = !isConnected && needed === undefined;
  const isByLevel = known !== undefined && (soc !== undefined || isAway);
  const capacity = isByLevel ? known : needed;
  if (capacity === undefined || capacity <= 0)
    return void found.missing.push({
      key: soc !== undefined || isAway ? 'car_size_missing' : 'car_energy_missing',
      name,
    });
  const all = departuresIn(departures, inputs);
  const times = all.filter(({ at }) => at <= inputs.edges[0]! + plannedMs);
  const { stays, assumed } = presenceOf(all, isConnected, inputs.present[der.id], inputs);
  const planned = new Set(stays.slice(0, times.length).flat());
  const present = inputs.edges.slice(1).map((_, n) => planned.has(n));
  if (assumed) found.assumed.push({ key: assumed, name });
  if (all.length > times.length) found.assumed.push({ key: 'car_later', name });
  const targetOf = (pct: number): number => (isByLevel ? (capacity * pct) / 100 : capacity);
  const driven = Math.min(
    needed ?? capacity * drivenShare,
    targetOf(Math.min(...departures.map((each) => each.target_pct))),
  );
  const use = present.map(() => 0);
  for (const { step } of times.slice(0, -1)) if (step + 1 < use.length) use[step + 1] = driven;
  const chargeW = given?.charge_w ?? positive(read('rated_power_W')) ?? usualCarW;
  const returnsWith = targetOf(departures[0]!.target_pct) - driven;
  const levelWh = soc === undefined ? returnsWith : capacity * soc;
  const startWh = isByLevel ? levelWh : Math.min(capacity, session);
  if (isByLevel && soc === undefined)
    found.assumed.push({ key: 'car_away', name, energy_kwh: Number((driven / 1000).toFixed(1)) });
  for (const [n, steps] of stays.entries()) {
    if (n < times.length) continue;
    const neededWh = n === 0 ? Math.max(0, targetOf(all[0]!.target_pct) - startWh) : driven;
    const hours = steps.reduce((sum, step) => sum + (inputs.edges[step + 1]! - inputs.edges[step]!) / hourMs, 0);
    for (const step of steps) found.later_w[step]! += Math.min(chargeW, neededWh / chargeEfficiency / hours);
  }
  found.storages.push({
    der,
    storage: {
      id: der.id,
      kind: 'car',
      capacity_wh: capacity,
      min_wh: 0,
      max_wh: Math.max(...departures.map(({ target_pct }) => targetOf(target_pct))),
      start_wh: startWh,
      charge_w: chargeW,
      discharge_w: given?.discharge_w ?? 0,
      charge_efficiency: chargeEfficiency,
      discharge_efficiency: dischargeEfficiency,
      charge_min_w: Math.min(chargeW, given?.charge_min_w ?? leastCarW),
      present,
      use_wh: use,
      goals: times.map(({ step, target_pct }) => ({ step, wh: targetOf(target_pct) })),
    },
  });
}
