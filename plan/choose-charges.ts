import type { Model } from 'highs';
import type { PlanProblem, PlanStorage } from '#contract/plan.ts';
import type { Columns } from './columns.ts';
import type { Program } from './program.ts';
import { hoursOf, isPresent, levelsOf } from './schedule.ts';

export type RunResult = 'found' | 'infeasible' | 'late';

/** How a storage with a least power charges in a step: not, with its least power or more, or with less until it is full. */
type Charging = 'off' | 'on' | 'fills';

/** A step in which a storage with a least power is present, with its columns. */
type Slot = { storage: PlanStorage; t: number; charge: number; discharge: number; level: number };
type Stay = readonly Slot[];

export type ChargesContext = {
  model: Model;
  problem: PlanProblem;
  program: Program;
  /** storages that may be charged with less than their least power in the step in which they become full */
  canFill: ReadonlySet<PlanStorage>;
  /** limits of the mean of the peaks */
  peakLimitsKw: readonly number[];
  run(): RunResult;
};

/** Allows every power in every step again. */
export function allowAllCharges(context: ChargesContext): void {
  setCharging(context, new Map(staysOf(context).flatMap((stay) => stay.map((slot) => [slot, undefined]))));
}

/**
 * Finds a good plan quickly, in a program that ignores least powers: from a solution of it, with as many charges of each stay as
 * its energy is enough for, then with better ones in their place. The number of tries is fixed, so that the result does not
 * depend on the speed of the machine. Undefined when that breaks rules or takes too long.
 */
export function chooseCharges(
  relaxed: Float64Array,
  /** `runFirst` runs after the first choice, and finds values for all other switches, which it keeps */
  context: ChargesContext & { runFirst(): RunResult },
): { values: Float64Array; cost: number } | undefined {
  const stays = staysOf(context);
  const { problem, program } = context;
  const roomKw = (slot: Slot): number => roomInKw(relaxed, slot, context);
  // Where that is not enough because charges get in each other's way, each charges as much as in the solution.
  for (const mostKw of [roomKw, ({ charge }: Slot): number => relaxed[charge]!]) {
    const charging = firstCharges(relaxed, stays, { problem, program, canFill: context.canFill, mostKw });
    setCharging(context, charging);
    if (context.runFirst() === 'found') return exchange(stays, charging, context);
  }
  return undefined;
}

function staysOf({ problem, program: { columns } }: ChargesContext): Stay[] {
  const stays: Slot[][] = [];
  for (const [n, storage] of problem.storages.entries()) {
    if (!storage.charge_min_w || storage.charge_w === 0) continue;
    const { charge, discharge, level } = columns.storages[n]!;
    let isStay = false;
    for (const t of problem.steps_s.keys()) {
      const isHere = isPresent(storage, t);
      if (isHere && !isStay) stays.push([]);
      if (isHere) stays.at(-1)!.push({ storage, t, charge: charge[t]!, discharge: discharge[t]!, level: level[t]! });
      isStay = isHere;
    }
  }
  return stays;
}

/** Sets the bounds of steps; undefined allows every power. */
function setCharging({ model, program }: ChargesContext, charging: ReadonlyMap<Slot, Charging | undefined>): void {
  const { lower, upper } = program.program;
  const bounds: [column: number, low: number, high: number][] = [];
  for (const [{ storage, charge, discharge, level }, how] of charging) {
    const [least, most] = [(storage.charge_min_w ?? 0) / 1000, storage.charge_w / 1000];
    bounds.push([charge, how === 'on' ? least : 0, how === 'off' ? 0 : most]);
    bounds.push([discharge, 0, how === 'on' || how === 'fills' ? 0 : upper[discharge]!]);
    bounds.push([level, how === 'fills' ? storage.max_wh / 1000 : lower[level]!, upper[level]!]);
  }
  if (bounds.length === 0) return;
  bounds.sort(([a], [b]) => a - b);
  const [indices, lows, highs] = [0, 1, 2].map((i) => bounds.map((bound) => bound[i]!));
  model.changeColsBounds({ kind: 'set', indices: indices! }, lows!, highs!);
}

/**
 * Chooses the steps in which storages with a least power charge the energy of each stay: as many as can share it, those first
 * that had most of it. A stay with too little for one step leaves it to the next stay, unless it would then miss a goal.
 */
function firstCharges(
  relaxed: Float64Array,
  stays: readonly Stay[],
  {
    problem,
    program: { columns },
    canFill,
    mostKw,
  }: Pick<ChargesContext, 'problem' | 'program' | 'canFill'> & { mostKw(slot: Slot): number },
): Map<Slot, Charging> {
  const hours = hoursOf(problem);
  const charging = new Map<Slot, Charging>();
  const behind = new Map<PlanStorage, number>(); // Wh that were to be charged until now, and were not
  for (const stay of stays) {
    const { storage } = stay[0]!;
    const { charge_min_w = 0, charge_efficiency, goals = [] } = storage;
    const wanted = wantedLevels(relaxed, storage, { problem, columns });
    const energyOf = ({ t, charge }: Slot): number => relaxed[charge]! * 1000 * hours[t]!;
    const energy = stay.reduce((sum, slot) => sum + energyOf(slot), behind.get(storage) ?? 0);
    const missed = Math.max(
      0,
      ...goals.flatMap(({ step, wh }) =>
        step >= stay[0]!.t && step <= stay.at(-1)!.t ? [(wh - wanted[step]!) / charge_efficiency + energy] : [],
      ),
    );
    for (const slot of stay) charging.set(slot, 'off');
    let [least, most] = [0, 0];
    // Steps without a charge follow, the cheapest first, for energy that an earlier stay left.
    const price = ({ t }: Slot): number => problem.import_price[t]!;
    for (const slot of stay.toSorted((a, b) => relaxed[b.charge]! - relaxed[a.charge]! || price(a) - price(b))) {
      const mostW = Math.max(charge_min_w, mostKw(slot) * 1000);
      if (least + charge_min_w * hours[slot.t]! > energy + 1 && most >= missed - 1) break;
      charging.set(slot, 'on');
      least += charge_min_w * hours[slot.t]!;
      most += mostW * hours[slot.t]!;
    }
    behind.set(storage, energy - Math.min(Math.max(energy, least), most));
    if (!canFill.has(storage)) continue;
    const full = stay.findIndex(({ t }) => wanted[t]! >= storage.max_wh - 1);
    const filling = stay.slice(0, full + 1).findLast((slot) => charging.get(slot) === 'on');
    if (filling) charging.set(filling, 'fills');
  }
  return charging;
}

function wantedLevels(
  relaxed: Float64Array,
  storage: PlanStorage,
  { problem, columns }: { problem: PlanProblem; columns: Columns },
): Float64Array {
  const { charge, discharge } = columns.storages[problem.storages.indexOf(storage)]!;
  const watts = (column: number): number => relaxed[column]! * 1000;
  return levelsOf(storage, { charge: charge.map(watts), discharge: discharge.map(watts) }, hoursOf(problem));
}

/** Returns the power that a storage can charge with in a step below the limits of the import, if nothing else changes. */
function roomInKw(relaxed: Float64Array, { storage, t, charge }: Slot, context: ChargesContext): number {
  const { grid } = context.problem;
  const isFirm = grid.over_import_price_per_kw === undefined;
  const limits = [...context.peakLimitsKw, ...(isFirm && grid.import_limit_w ? [grid.import_limit_w / 1000] : [])];
  const others = relaxed[context.program.columns.imported[t]!]! - relaxed[charge]!;
  return Math.min(storage.charge_w / 1000, Math.max(relaxed[charge]!, Math.min(...limits) - others));
}

const maxExchanges = 60;
const leastSaving = 1e-4;

/**
 * Improves the choice of the steps that charge: where the prices of the program say that another step of the same stay is
 * cheaper, it takes the place of the dearest one. Fewer are exchanged at once as long as that makes the plan dearer.
 */
function exchange(
  stays: readonly Stay[],
  charging: Map<Slot, Charging>,
  context: ChargesContext,
): { values: Float64Array; cost: number } {
  const { model, run } = context;
  let { colValue: values, colDual: prices } = model.getSolution();
  let cost = model.getObjectiveValue();
  const failed = new Set<string>();
  let size = Number.POSITIVE_INFINITY;
  for (let n = 0; n < maxExchanges; n++) {
    const pairs = exchanges(stays, charging, prices).filter(({ key }) => !failed.has(key));
    if (pairs.length === 0) break;
    const some = pairs.slice(0, size).flatMap(({ slots }) => slots);
    setCharging(context, new Map(some.map((slot) => [slot, charging.get(slot) === 'on' ? 'off' : 'on'])));
    if (run() === 'found' && model.getObjectiveValue() < cost - 1e-6) {
      ({ colValue: values, colDual: prices } = model.getSolution());
      cost = model.getObjectiveValue();
      for (const slot of some) charging.set(slot, charging.get(slot) === 'on' ? 'off' : 'on');
      continue;
    }
    setCharging(context, new Map(some.map((slot) => [slot, charging.get(slot)])));
    if (size === 1) failed.add(pairs[0]!.key);
    size = Math.ceil(Math.min(size, pairs.length) / 3);
  }
  return { values, cost };
}

type Exchange = { slots: Slot[]; key: string; saves: number };

/** Returns the exchange of each stay that saves most at the prices of the program, the best first. */
function exchanges(stays: readonly Stay[], charging: ReadonlyMap<Slot, Charging>, prices: Float64Array): Exchange[] {
  const found: Exchange[] = [];
  for (const stay of stays) {
    let [start, stop]: (Slot | undefined)[] = [];
    let [starting, stopping] = [leastSaving, leastSaving]; // what they save
    for (const slot of stay) {
      const { charge, storage } = slot;
      const price = prices[charge]!;
      const saves = (price * (price < 0 ? storage.charge_w : (storage.charge_min_w ?? 0))) / 1000;
      const how = charging.get(slot);
      if (how === 'off' && -saves > starting) [start, starting] = [slot, -saves];
      if (how === 'on' && saves > stopping) [stop, stopping] = [slot, saves];
    }
    const slots = [...(start ? [start] : []), ...(stop ? [stop] : [])];
    const saves = (start ? starting : 0) + (stop ? stopping : 0);
    if (slots.length > 0) found.push({ slots, key: slots.map(({ charge }) => charge).join(), saves });
  }
  return found.toSorted((a, b) => b.saves - a.saves);
}
