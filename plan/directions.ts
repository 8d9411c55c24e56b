import type { PlanProblem, PlanStorage } from '#contract/plan.ts';
import type { Columns } from './columns.ts';
import type { LinearProgram, Term } from './linear-program.ts';
import { isPresent } from './schedule.ts';

const leastKw = 1e-4;

type Rule = 'from_grid' | 'to_grid';
const flowOf = { from_grid: 'charge', to_grid: 'discharge' } as const;
const opposite = { from_grid: 'to_grid', to_grid: 'from_grid' } as const;

const powerOf = (storage: PlanStorage, rule: Rule): number => storage[`${flowOf[rule]}_w`];

/** Returns the storages that a rule restricts in a step, by index. */
const restrictedBy = ({ storages }: PlanProblem, rule: Rule, t: number): number[] =>
  [...storages.entries()].flatMap(([n, storage]) =>
    storage[rule] === false && powerOf(storage, rule) > 0 && isPresent(storage, t) ? [n] : [],
  );

const keysOf = (members: readonly number[], t: number): string[] => members.map((n) => `${n} ${t}`);

/** The storages that may not charge from the grid in a step, or not discharge to it. The rule is about the sum of their flows. */
type Group = {
  members: { storage: PlanStorage; flow: number; mostKw: number }[];
  flows: Term[];
  mostKw: number;
  isDirected: boolean;
  /** opposite flows that may take the place of the grid, negative */
  exchanged: Term[];
  canExchange: boolean;
};

function groupOf(
  problem: PlanProblem,
  columns: Columns,
  directed: ReadonlySet<string>,
  rule: Rule,
  t: number,
): Group | undefined {
  const restricted = restrictedBy(problem, rule, t);
  if (restricted.length === 0) return undefined;
  const members = restricted.map((n) => {
    const storage = problem.storages[n]!;
    return { storage, flow: columns.storages[n]![flowOf[rule]][t]!, mostKw: powerOf(storage, rule) / 1000 };
  });
  // A storage alone exchanges nothing with itself.
  const others = [...problem.storages.keys()].filter((n) => restricted.length > 1 || n !== restricted[0]);
  const away = opposite[rule];
  return {
    members,
    flows: members.map(({ flow }) => [flow, 1]),
    mostKw: members.reduce((sum, { mostKw }) => sum + mostKw, 0),
    isDirected: keysOf(restricted, t).every((key) => directed.has(key)),
    exchanged: others.map((n) => [columns.storages[n]![flowOf[away]][t]!, -1]),
    canExchange: problem.storages.some(
      (other, n) => isPresent(other, t) && powerOf(other, away) > 0 && restricted.some((member) => member !== n),
    ),
  };
}

/** Tells whether a sum of terms is more than rounding. */
const flows =
  (terms: readonly Term[]) =>
  (values: Float64Array): boolean =>
    terms.reduce((sum, [column]) => sum + values[column]!, 0) > leastKw;

type Switches = {
  /** returns a variable that is 1 when the step imports; when it is 0, the step may export */
  imports(): number;
  /** returns a variable that is 1 when the step exports. A step may do neither, when one storage charges from another. */
  exports(): number;
};

/** What the rules of a step have in common. */
type Step = Switches & {
  program: LinearProgram;
  problem: PlanProblem;
  t: number;
  loadKw: number;
  offeredKw: number;
  solar: number;
};

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
    const step: Step = {
      ...createSwitches(program, problem, columns, t),
      program,
      problem,
      t,
      loadKw: problem.load_w[t]! / 1000,
      offeredKw: problem.solar_w[t]! / 1000,
      solar: columns.solar[t]!,
    };
    if (problem.export_price[t]! > problem.import_price[t]!) step.imports();
    const charging = groupOf(problem, columns, directed, 'from_grid', t);
    const discharging = groupOf(problem, columns, directed, 'to_grid', t);
    if (charging) limitCharging(step, charging);
    if (discharging) limitDischarging(step, discharging, charging?.isDirected ?? false);
  }
}

function createSwitches(program: LinearProgram, problem: PlanProblem, columns: Columns, t: number): Switches {
  const load = problem.load_w[t]! / 1000;
  const [imported, exported, solar] = [columns.imported[t]!, columns.exported[t]!, columns.solar[t]!];
  const minus = (flow: 'charge' | 'discharge'): Term[] => columns.storages.map((storage) => [storage[flow][t]!, -1]);
  let [importSwitch, exportSwitch]: (number | undefined)[] = [];
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
  const exports = (): number => {
    if (exportSwitch !== undefined) return exportSwitch;
    const other = imports();
    exportSwitch = program.addSwitch(flows([[exported, 1]]));
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
  return { imports, exports };
}

/** Keeps storages together from charging more than the surplus while energy is imported. */
function limitCharging({ program, problem, t, loadKw, offeredKw, solar, imports }: Step, group: Group): void {
  const { members, mostKw, isDirected, exchanged, canExchange } = group;
  // Where importing costs nothing, the sun might be left unused meanwhile.
  const usesSun = problem.import_price[t]! > 0 || !problem.solar_curtailable;
  if (usesSun && !canExchange) {
    program.atMost(group.flows, Math.max(0, offeredKw - loadKw));
    return;
  }
  if (!isDirected) {
    const share = offeredKw > loadKw ? 1 - loadKw / offeredKw : 0; // of the sun that is used, at most
    program.atMost([...group.flows, [solar, -share], ...exchanged], 0);
    return;
  }
  if (offeredKw <= loadKw) {
    for (const { flow, mostKw: most } of members)
      program.atMost(
        [
          [flow, 1],
          [imports(), most],
        ],
        most,
      );
    return;
  }
  // charge = 0, or not importing, or at most the surplus of the sun that is used
  const charges = addFlowSwitch(program, group);
  const span = mostKw + loadKw;
  program.atMost([...group.flows, [solar, -1], [imports(), span], [charges, span]], 2 * span - loadKw);
}

/** Keeps storages together from discharging more than the house needs while energy is exported. */
function limitDischarging(step: Step, group: Group, mayDoNeither: boolean): void {
  const { program, problem, t, loadKw, offeredKw, solar, imports, exports } = step;
  const { members, mostKw, isDirected, exchanged, canExchange } = group;
  const isSunny = offeredKw >= loadKw;
  const mayEmpty = members.some(({ storage }) => mayPayToEmpty(problem, storage));
  /** Adds a row that holds when the step exports. */
  const whenExporting = (terms: readonly Term[], most: number, span: number): unknown =>
    mayDoNeither
      ? program.atMost([...terms, [exports(), span]], most + span)
      : program.atMost([...terms, [imports(), -span]], most);
  if (!canExchange && (!isSunny || !mayEmpty)) {
    if (isSunny) program.atMost(group.flows, 0);
    else program.atMost([...group.flows, [solar, 1]], loadKw);
    return;
  }
  if (!isDirected) {
    program.atMost([...group.flows, [solar, 1], ...exchanged], Math.max(loadKw, offeredKw));
    return;
  }
  if (!isSunny) {
    whenExporting([...group.flows, [solar, 1]], loadKw, mostKw + offeredKw);
    return;
  }
  const canOthersExport = problem.storages.some(
    (other) => isPresent(other, t) && other.discharge_w > 0 && !members.some(({ storage }) => storage === other),
  );
  if (!mayEmpty || !canOthersExport) {
    for (const { flow, mostKw: most } of members) whenExporting([[flow, 1]], 0, most);
    return;
  }
  // discharge = 0, or not exporting, or at most what the sun that is used leaves; the rest is another storage's
  const discharges = addFlowSwitch(program, group);
  const span = mostKw + offeredKw;
  whenExporting([...group.flows, [solar, 1], [discharges, span]], loadKw + span, span);
}

/** Adds a variable that is 1 unless the flows of a group are 0. */
function addFlowSwitch(program: LinearProgram, group: Group): number {
  const isOn = program.addSwitch(flows(group.flows));
  program.atMost([...group.flows, [isOn, -group.mostKw]], 0);
  return isOn;
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

/** A step in which storages together charge from the grid or discharge to it although they may not, and bounds that prevent it. */
export type Misdirection = { keys: string[]; bounds: { column: number; upper: number }[] };

/**
 * Lists the steps in which storages use the grid although they may not. The bounds are on what has to change least, the flow of
 * the grid or those of the storages; not on an import that is paid for.
 */
export function misdirectionsOf(problem: PlanProblem, columns: Columns, values: Float64Array): Misdirection[] {
  const { imported, exported, solar, storages } = columns;
  const found: Misdirection[] = [];
  for (const rule of ['from_grid', 'to_grid'] as const)
    for (const [t, load] of problem.load_w.entries()) {
      const members = restrictedBy(problem, rule, t);
      const surplus = values[solar[t]!]! - load / 1000;
      const most = Math.max(0, rule === 'from_grid' ? surplus : -surplus);
      const grid = (rule === 'from_grid' ? imported : exported)[t]!;
      const columnsOf = members.map((n) => storages[n]![flowOf[rule]][t]!);
      const total = columnsOf.reduce((sum, column) => sum + values[column]!, 0);
      if (values[grid]! <= leastKw || total - most <= leastKw) continue;
      const isPaid = rule === 'from_grid' && problem.import_price[t]! < 0;
      const bounds =
        values[grid]! < total - most && !isPaid
          ? [{ column: grid, upper: 0 }]
          : columnsOf.map((column) => ({ column, upper: (most * values[column]!) / total }));
      found.push({ keys: keysOf(members, t), bounds });
    }
  return found;
}
