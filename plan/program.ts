import type { PlanProblem, PlanStorage } from '#contract/plan.ts';
import type { Columns, StorageColumns } from './columns.ts';
import { addDirections } from './directions.ts';
import { LinearProgram, type Term } from './linear-program.ts';
import { type PeakPeriod, peakPeriods } from './peaks.ts';
import { hoursOf, isPresent, keptAfter } from './schedule.ts';

/** Classes of rules, the most important first. */
const missClasses = ['storage', 'grid', 'goal', 'must_charge'] as const;
type MissClass = (typeof missClasses)[number];

/** A power charge with tiers: the row that keeps the mean of the peaks below a limit. */
export type TierRow = { row: number; period: PeakPeriod };

/** Columns by which rules may be missed for a while, in kW or kWh, where no others are. They are fixed at 0 at first. */
export type Slack = { tiers: number[]; rules: number[] };

export type Program = {
  program: LinearProgram;
  columns: Columns;
  tierRows: TierRow[];
  slack: Slack;
  /** columns whose sum is missed, in kWh, with the row that limits it; the most important class first */
  misses: { row: number; terms: Term[] }[];
};

export type ProgramOptions = {
  /** whether rules may be broken; without, a problem that cannot keep them is infeasible */
  mayMiss: boolean;
  /** storages that may be charged with less than their minimum in the step in which they become full */
  canFill: ReadonlySet<PlanStorage>;
  /** `<storage> <step>` in which a rule of its own keeps a storage from charging and discharging at once */
  exclusive: ReadonlySet<string>;
  /** `<storage> <step>` in which a rule of its own keeps a storage from charging from the grid or discharging to it */
  directed: ReadonlySet<string>;
  /** whether least powers are ignored: bounds say then which steps charge */
  ignoresLeastPowers: boolean;
};

const fullKwh = 1e-3;

/** Describes a problem to the solver. */
export function toProgram(problem: PlanProblem, options: ProgramOptions): Program {
  const { mayMiss, canFill, exclusive, directed, ignoresLeastPowers } = options;
  const program = new LinearProgram();
  const hours = hoursOf(problem);
  const misses: Record<MissClass, Term[]> = { storage: [], grid: [], goal: [], must_charge: [] };
  /** Adds a variable for what is missed of a rule. */
  const miss = (of: MissClass, perUnit: number): Term[] => {
    if (!mayMiss) return [];
    const column = program.add(0, Number.POSITIVE_INFINITY);
    misses[of].push([column, perUnit]);
    return [[column, 1]];
  };

  const slack: Slack = { tiers: [], rules: [] };
  const addSlack = (of: number[]): Term[] => {
    if (!ignoresLeastPowers) return [];
    const column = program.add(0, 0);
    of.push(column);
    return [[column, 1]];
  };

  const { import_limit_w, export_limit_w, over_import_price_per_kw } = problem.grid;
  const solar = problem.solar_w.map((w) => program.add(problem.solar_curtailable ? 0 : w / 1000, w / 1000));
  const imported = hours.map((h, t) => program.add(0, maxImportKw(problem, t), h * problem.import_price[t]!));
  const exported = hours.map((h, t) => program.add(0, maxExportKw(problem, t), -h * problem.export_price[t]!));
  const over =
    over_import_price_per_kw === undefined
      ? undefined
      : program.add(0, Number.POSITIVE_INFINITY, over_import_price_per_kw);
  const addRuleSlack = (): Term[] => (mayMiss ? [] : addSlack(slack.rules));
  const overSlack = import_limit_w === undefined || over ? [] : addRuleSlack();
  const storages = problem.storages.map((storage) =>
    addStorage(program, storage, {
      hours,
      mayMiss,
      canFill: canFill.has(storage),
      ignoresLeastPowers,
      miss,
      addSlack: addRuleSlack,
    }),
  );

  for (const [t, h] of hours.entries()) {
    const flows = storages.flatMap(({ charge, discharge }): Term[] => [
      [charge[t]!, -1],
      [discharge[t]!, 1],
    ]);
    program.equal([[imported[t]!, 1], [exported[t]!, -1], [solar[t]!, 1], ...flows], problem.load_w[t]! / 1000);
    if (import_limit_w !== undefined) {
      const more: Term[] = over === undefined ? miss('grid', h) : [[over, 1]];
      program.atMost([[imported[t]!, 1], ...negated([...more, ...overSlack])], import_limit_w / 1000);
    }
    if (export_limit_w !== undefined)
      program.atMost([[exported[t]!, 1], ...negated(miss('grid', h))], export_limit_w / 1000);
  }
  const columns: Columns = { imported, exported, solar, storages };
  addDirections(program, problem, columns, directed);
  for (const key of exclusive) {
    const [n, t] = key.split(' ').map(Number) as [number, number];
    const { charge, discharge } = storages[n]!;
    const { charge_w, discharge_w } = problem.storages[n]!;
    const charges = program.addSwitch((values) => values[charge[t]!]! > values[discharge[t]!]!);
    program.atMost(
      [
        [charge[t]!, 1],
        [charges, -charge_w / 1000],
      ],
      0,
    );
    program.atMost(
      [
        [discharge[t]!, 1],
        [charges, discharge_w / 1000],
      ],
      discharge_w / 1000,
    );
  }
  const tierRows = peakPeriods(problem).flatMap(
    (period) => addPeakFee(program, period, imported, () => addSlack(slack.tiers)) ?? [],
  );
  const found = missClasses.map((name) => misses[name]).filter((terms) => terms.length > 0);
  return {
    program,
    columns,
    tierRows,
    slack,
    misses: found.map((terms) => ({ row: program.atMost(terms, Number.POSITIVE_INFINITY), terms })),
  };
}

const negated = (terms: readonly Term[]): Term[] => terms.map(([column, factor]) => [column, -factor]);

const chargeKw = (problem: PlanProblem, t: number): number =>
  problem.storages.reduce((sum, storage) => sum + (isPresent(storage, t) ? storage.charge_w : 0), 0) / 1000;

const dischargeKw = (problem: PlanProblem, t: number): number =>
  problem.storages.reduce((sum, storage) => sum + (isPresent(storage, t) ? storage.discharge_w : 0), 0) / 1000;

const maxImportKw = (problem: PlanProblem, t: number): number => problem.load_w[t]! / 1000 + chargeKw(problem, t);

const maxExportKw = (problem: PlanProblem, t: number): number => problem.solar_w[t]! / 1000 + dischargeKw(problem, t);

type StorageContext = {
  hours: readonly number[];
  mayMiss: boolean;
  canFill: boolean;
  ignoresLeastPowers: boolean;
  miss(of: MissClass, perUnit: number): Term[];
  addSlack(): Term[];
};

function addStorage(
  program: LinearProgram,
  storage: PlanStorage,
  { hours, mayMiss, canFill, ignoresLeastPowers, miss, addSlack }: StorageContext,
): StorageColumns {
  const {
    charge_efficiency,
    discharge_efficiency,
    charge_min_w = 0,
    wear_per_kwh = 0,
    end_value_per_kwh = 0,
  } = storage;
  const [low, high] = [storage.min_wh / 1000, storage.max_wh / 1000];
  const free = Number.POSITIVE_INFINITY;
  const columns: StorageColumns = { charge: [], discharge: [], level: [], on: [] };
  for (const [t, h] of hours.entries()) {
    const most = isPresent(storage, t) ? storage.charge_w / 1000 : 0;
    const charge = program.add(0, most);
    const discharge = program.add(0, isPresent(storage, t) ? storage.discharge_w / 1000 : 0, h * wear_per_kwh);
    const isLast = t === hours.length - 1;
    const level = program.add(mayMiss ? -free : low, mayMiss ? free : high, isLast ? -end_value_per_kwh : 0);
    if (mayMiss) {
      program.atLeast([[level, 1], ...miss('storage', 1)], low);
      program.atMost([[level, 1], ...negated(miss('storage', 1))], high);
    }
    const before: Term[] = t === 0 ? [] : [[columns.level[t - 1]!, -keptAfter(storage, h)]];
    const carried = t === 0 ? (storage.start_wh / 1000) * keptAfter(storage, h) : 0;
    program.equal(
      [[level, 1], ...before, [charge, -h * charge_efficiency], [discharge, h / discharge_efficiency]],
      carried - (storage.use_wh?.[t] ?? 0) / 1000,
    );
    columns.charge.push(charge);
    columns.discharge.push(discharge);
    columns.level.push(level);

    const must = most > 0 ? Math.min((storage.must_charge_w?.[t] ?? 0) / 1000, most) : 0;
    const least = most > 0 && !ignoresLeastPowers ? charge_min_w / 1000 : 0;
    if (must === 0 && least === 0) continue;
    // A full storage may charge less. It is full when `full` is 1.
    const isFilled: Term[] = [];
    const span = high - low + most * h + (mayMiss ? storage.capacity_wh / 1000 + Math.abs(storage.start_wh) / 1000 : 0);
    if (must > 0 || (canFill && least > 0)) {
      const full = program.addSwitch((values) => values[level]! > high - fullKwh);
      program.atLeast(
        [
          [level, 1],
          [full, -span],
        ],
        high - span,
      );
      isFilled.push([full, 1]);
    }
    if (least > 0) {
      const on = program.addSwitch((values) => values[charge]! > least / 2);
      columns.on[t] = on;
      program.atMost(
        [
          [charge, 1],
          [on, -most],
        ],
        0,
      );
      program.atLeast([[charge, 1], [on, -least], ...isFilled.map(([full]): Term => [full, least])], 0);
      program.atMost(
        [
          [discharge, 1],
          [on, storage.discharge_w / 1000],
        ],
        storage.discharge_w / 1000,
      );
    }
    if (must > 0)
      program.atLeast([[charge, 1], ...isFilled.map(([full]): Term => [full, must]), ...miss('must_charge', h)], must);
  }
  for (const { step, wh } of storage.goals ?? [])
    program.atLeast([[columns.level[step]!, 1], ...miss('goal', 1), ...addSlack()], wh / 1000);
  return columns;
}

/**
 * Adds the fee of a period: the sum of the highest peaks is the least value of `count x floor + what is above the floor`. Tiers
 * become a row that limits the mean; their fees are not part of the costs.
 */
function addPeakFee(
  program: LinearProgram,
  period: PeakPeriod,
  imported: readonly number[],
  addSlack: () => Term[],
): TierRow | undefined {
  const { fee, windows, earlier, count } = period;
  const free = Number.POSITIVE_INFINITY;
  const byDay = new Map<string, number>();
  const peakColumn = (key: string): number => {
    const known = byDay.get(key);
    if (known !== undefined) return known;
    const column = program.add(earlier.get(key) ?? 0, free);
    byDay.set(key, column);
    return column;
  };
  for (const key of earlier.keys()) peakColumn(key);
  for (const [n, { day, shares }] of windows.entries()) {
    const column = peakColumn(fee.one_per_day ? day : `window ${n}`);
    program.atMost([...shares.map(([step, share]): Term => [imported[step]!, share]), [column, -1]], 0);
  }
  const floor = program.add(0, free);
  const sum: Term[] = [[floor, 1]]; // of the mean
  for (const column of byDay.values()) {
    const above = program.add(0, free);
    program.atMost(
      [
        [column, 1],
        [floor, -1],
        [above, -1],
      ],
      0,
    );
    sum.push([above, 1 / count]);
  }
  if (fee.tiers) return { row: program.atMost([...sum, ...negated(addSlack())], free), period };
  for (const [column, share] of sum) program.costs[column]! += (fee.price_per_kw ?? 0) * share;
  return undefined;
}
