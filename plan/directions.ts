import type { PlanProblem } from '#contract/plan.ts';
import type { Columns } from './program.ts';

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

const leastKw = 1e-4;

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
