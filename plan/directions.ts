import type { PlanProblem, PlanStorage } from '#contract/plan.ts';
import type { Columns } from './columns.ts';
import type { LinearProgram, Term } from './linear-program.ts';
import { isPresent } from './schedule.ts';

const leastKw = 1e-4;

/**
 * Keeps import and export apart where selling pays more than buying costs, and storages from charging from the grid or
 * discharging to it where they may not. With other storages, that takes switches, so it is only near to that rule unless the
 * step is `directed`.
 */
export function addDirections(
  program: LinearProgram,
  problem: PlanProblem,
  columns: Columns,
  directed: ReadonlySet<string>,
): void {
  for (const t of problem.steps_s.keys()) {
    const [load, offered] = [problem.load_w[t]! / 1000, problem.solar_w[t]! / 1000];
    const [imported, exported, solar] = [columns.imported[t]!, columns.exported[t]!, columns.solar[t]!];
    let [importSwitch, exportSwitch]: (number | undefined)[] = [];
    /** Returns the flows of all storages but one, negative. */
    const minus = (flow: 'charge' | 'discharge', but?: number): Term[] =>
      columns.storages.flatMap((storage, n): Term[] => (n === but ? [] : [[storage[flow][t]!, -1]]));
    /** Returns a variable that is 1 when the step imports; when it is 0, the step may export. */
    const imports = (): number => {
      if (importSwitch !== undefined) return importSwitch;
      importSwitch = program.addSwitch((values) => values[imported]! > values[exported]!);
      const [mostIn, mostOut] = [program.upper[imported]!, program.upper[exported]!];
      program.atMost(
        [
          [imported, 1],
          [importSwitch, -mostIn],
        ],
        0,
      );
      program.atMost(
        [
          [exported, 1],
          [importSwitch, mostOut],
        ],
        mostOut,
      );
      // Implied by whole switches, and bounds otherwise what a step that does both could gain.
      program.atMost([[imported, 1], [importSwitch, -load], ...minus('charge')], 0);
      program.atMost([[exported, 1], [solar, -1], [importSwitch, -load], ...minus('discharge')], -load);
      return importSwitch;
    };
    /** Returns a variable that is 1 when the step exports. A step may do neither, when one storage charges from another. */
    const exports = (): number => {
      if (exportSwitch !== undefined) return exportSwitch;
      const other = imports();
      exportSwitch = program.addSwitch((values) => values[exported]! > leastKw);
      program.atMost(
        [
          [exported, 1],
          [exportSwitch, -program.upper[exported]!],
        ],
        0,
      );
      program.atMost(
        [
          [other, 1],
          [exportSwitch, 1],
        ],
        1,
      );
      return exportSwitch;
    };
    const mayDoNeither = problem.storages.some((s, n) => s.from_grid === false && directed.has(`${n} ${t}`));
    /** Adds a row that holds when the step exports. */
    const whenExporting = (terms: Term[], most: number, span: number): unknown =>
      mayDoNeither
        ? program.atMost([...terms, [exports(), span]], most + span)
        : program.atMost([...terms, [imports(), -span]], most);
    if (problem.export_price[t]! > problem.import_price[t]!) imports();
    for (const [n, storage] of problem.storages.entries()) {
      const { charge, discharge } = columns.storages[n]!;
      const others = problem.storages.filter((other) => other !== storage && isPresent(other, t));
      const isDirected = directed.has(`${n} ${t}`);
      if (storage.from_grid === false && storage.charge_w > 0) {
        const most = storage.charge_w / 1000;
        // Where importing costs nothing, the sun might be left unused meanwhile.
        const usesSun = problem.import_price[t]! > 0 || !problem.solar_curtailable;
        const isSimple = usesSun && !others.some(({ discharge_w }) => discharge_w > 0);
        if (isSimple) program.atMost([[charge[t]!, 1]], Math.max(0, offered - load));
        else if (!isDirected) {
          const share = offered > load ? 1 - load / offered : 0; // of the sun that is used, at most
          program.atMost([[charge[t]!, 1], [solar, -share], ...minus('discharge', n)], 0);
        } else if (offered <= load)
          program.atMost(
            [
              [charge[t]!, 1],
              [imports(), most],
            ],
            most,
          );
        else {
          // charge = 0, or not importing, or at most the surplus of the sun that is used
          const charges = program.addSwitch((values) => values[charge[t]!]! > leastKw);
          program.atMost(
            [
              [charge[t]!, 1],
              [charges, -most],
            ],
            0,
          );
          const span = most + load;
          program.atMost(
            [
              [charge[t]!, 1],
              [solar, -1],
              [imports(), span],
              [charges, span],
            ],
            2 * span - load,
          );
        }
      }
      if (storage.to_grid === false && storage.discharge_w > 0) {
        const most = storage.discharge_w / 1000;
        const mayEmpty = mayPayToEmpty(problem, storage);
        const isAlone = !others.some(({ charge_w }) => charge_w > 0) && (offered < load || !mayEmpty);
        if (!isAlone && !isDirected)
          program.atMost([[discharge[t]!, 1], [solar, 1], ...minus('charge', n)], Math.max(load, offered));
        else if (isAlone && offered >= load) program.atMost([[discharge[t]!, 1]], 0);
        else if (isAlone)
          program.atMost(
            [
              [discharge[t]!, 1],
              [solar, 1],
            ],
            load,
          );
        else if (offered >= load && !(mayEmpty && others.some(({ discharge_w }) => discharge_w > 0)))
          whenExporting([[discharge[t]!, 1]], 0, most);
        else if (offered >= load) {
          // discharge = 0, or not exporting, or at most what the sun that is used leaves; the rest is another storage's
          const discharges = program.addSwitch((values) => values[discharge[t]!]! > leastKw);
          program.atMost(
            [
              [discharge[t]!, 1],
              [discharges, -most],
            ],
            0,
          );
          const span = most + offered;
          whenExporting(
            [
              [discharge[t]!, 1],
              [solar, 1],
              [discharges, span],
            ],
            load + span,
            span,
          );
        } else
          whenExporting(
            [
              [discharge[t]!, 1],
              [solar, 1],
            ],
            load,
            most + offered,
          );
      }
    }
  }
}

/** Tells whether it may pay to discharge for the house while the sun offers enough for it. */
const mayPayToEmpty = (
  { import_price, solar_curtailable }: PlanProblem,
  { start_wh, max_wh, end_value_per_kwh = 0 }: PlanStorage,
): boolean =>
  solar_curtailable && (start_wh > max_wh || end_value_per_kwh < 0 || import_price.some((price) => price < 0));

/** Lists the bounds that keep storages from charging and discharging in one step, each in the direction that it does more of. */
export const oneDirectionOf = (problem: PlanProblem, { storages }: Columns, values: Float64Array) =>
  storages.flatMap(({ charge, discharge }) =>
    [...problem.steps_s.keys()].flatMap((t) => {
      const [charged, discharged] = [values[charge[t]!]!, values[discharge[t]!]!];
      if (charged <= leastKw || discharged <= leastKw) return [];
      return [{ column: charged > discharged ? discharge[t]! : charge[t]!, upper: 0 }];
    }),
  );

/** A step in which a storage charges from the grid or discharges to it although it may not, and a bound that prevents it. */
export type Misdirection = { key: string; column: number; upper: number };

/**
 * Lists the steps in which storages use the grid although they may not. The bound is on the flow that has to change least, that
 * of the grid or that of the storage; not on an import that is paid for.
 */
export function misdirectionsOf(problem: PlanProblem, columns: Columns, values: Float64Array): Misdirection[] {
  const { imported, exported, solar, storages } = columns;
  const found: Misdirection[] = [];
  for (const [n, { from_grid, to_grid }] of problem.storages.entries()) {
    const { charge, discharge } = storages[n]!;
    for (const [t, load] of problem.load_w.entries()) {
      const surplus = values[solar[t]!]! - load / 1000;
      const check = (grid: number, flow: number, most: number): void => {
        const more = values[flow]! - Math.max(0, most);
        if (values[grid]! <= leastKw || more <= leastKw) return;
        const isPaid = grid === imported[t] && problem.import_price[t]! < 0;
        const [column, upper] = values[grid]! < more && !isPaid ? [grid, 0] : [flow, Math.max(0, most)];
        found.push({ key: `${n} ${t}`, column, upper });
      };
      if (from_grid === false) check(imported[t]!, charge[t]!, surplus);
      if (to_grid === false) check(exported[t]!, discharge[t]!, -surplus);
    }
  }
  return found;
}
