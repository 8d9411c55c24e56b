import type { GatewayPlan, Intent } from '#contract/gateway-plan.ts';

export type PlanStorage = GatewayPlan['storages'][number];
export type PlanStep = GatewayPlan['steps'][number];

/** Power at the grid meter, + import. */
export type GridState = { W: number; phase_A: readonly number[] | undefined };

export type StorageState = {
  /** + charge, when the grid meter was read */
  W: number;
  /** absent if the device does not report its state of charge */
  wh: number | undefined;
  /** + charge */
  phase_A: readonly number[] | undefined;
};

export type Situation = {
  plan: GatewayPlan;
  step: PlanStep;
  grid: GridState;
  /** of the storages that the plan controls now, by id; the power of any other is part of the load */
  storages: ReadonlyMap<string, StorageState>;
  /** charging power of all cars, also of those that the plan does not control */
  cars_W: number;
  /** the import that keeps the mean of the window at the planned peak */
  peakAllowed_W: number;
  fuse_A: number | undefined;
};

/** A target power. `isForced` if the main fuse or a limit of import or export demands it at once. */
export type Target = { W: number; isForced: boolean };

export type Targets = {
  storages: Map<string, Target>;
  /** what remains beyond the limit of export, or of the fuse, although storages do what they can */
  excessExport_W: number;
};

type Part = {
  storage: PlanStorage;
  intent: Intent;
  now_W: number;
  target_W: number;
  lowest_W: number;
  highest_W: number;
  /** lowest without a guard: what the house needs, for a battery that may not charge cars */
  shares: readonly number[] | undefined;
};

const volts = 230;
const idle_W = 50;
const levelTolerance = 0.01; // of the capacity; many devices report whole percents
const hold: Intent = { mode: 'hold', power_w: 0, wh: 0 };

/** Returns the power of each storage that carries out the intents of the step as far as the house and the guards allow. */
export function targetsOf(situation: Situation): Targets {
  const { plan, step, grid, storages, cars_W } = situation;
  const cars: Part[] = [];
  const batteries: Part[] = [];
  for (const storage of plan.storages) {
    const state = storages.get(storage.id);
    if (!state) continue;
    const isCar = storage.kind === 'car';
    const part = partOf(storage, step.intents[storage.id] ?? hold, state, grid.phase_A);
    (isCar ? cars : batteries).push(part);
  }
  const parts = [...cars, ...batteries];
  const rest_W = parts.reduce((sum, { now_W }) => sum - now_W, grid.W);
  let net_W = rest_W;
  for (const part of cars) {
    part.target_W = withoutTooLittle(part, wanted(part, net_W));
    net_W += part.target_W;
  }
  const otherCars_W = cars.reduce((sum, { now_W }) => sum - now_W, cars_W);
  const carsNow_W = cars.reduce(
    (sum, { now_W, target_W }) => sum + Math.max(0, now_W, target_W),
    Math.max(0, otherCars_W),
  );
  let house_W = rest_W - Math.max(0, otherCars_W);
  for (const part of batteries) {
    const isForHouseOnly = part.storage.for_car === false && carsNow_W > idle_W;
    if (isForHouseOnly) part.lowest_W = Math.min(0, Math.max(part.lowest_W, -house_W));
    part.target_W = clamp(wanted(part, net_W), part.lowest_W, part.highest_W);
    net_W += part.target_W;
    house_W += part.target_W;
  }
  keepImport(situation, cars, batteries, rest_W);
  keepExport(situation, parts, rest_W);
  const excess_A = situation.fuse_A === undefined ? 0 : keepFuse(situation.fuse_A, grid, cars, batteries);
  const limit = plan.export_limit_w ?? Number.POSITIVE_INFINITY;
  const export_W = -sumOf(parts, rest_W);
  const [mustLower, mustRaise] = [isImportTooHigh(situation), isExportTooHigh(situation)];
  const isForced = ({ target_W, now_W }: Part): boolean => (target_W < now_W ? mustLower : mustRaise);
  return {
    storages: new Map(
      parts.map((part) => [part.storage.id, { W: Math.round(part.target_W) || 0, isForced: isForced(part) }]),
    ),
    excessExport_W: excess_A > 0 ? Math.max(export_W - limit, excess_A * volts * 3) : export_W - limit,
  };
}

const isImportTooHigh = ({ plan: { import_limit_w }, grid, fuse_A }: Situation): boolean =>
  grid.W > (import_limit_w ?? Number.POSITIVE_INFINITY) ||
  (fuse_A !== undefined && phasesOf(grid).some((A) => A > fuse_A));

const isExportTooHigh = ({ plan: { export_limit_w }, grid, fuse_A }: Situation): boolean =>
  -grid.W > (export_limit_w ?? Number.POSITIVE_INFINITY) ||
  (fuse_A !== undefined && phasesOf(grid).some((A) => -A > fuse_A));

/** Returns the current of each phase; of three equal ones if the meter does not report them. */
const phasesOf = ({ W, phase_A }: GridState): number[] => [...(phase_A ?? thirds.map((share) => (W * share) / volts))];

function partOf(
  storage: PlanStorage,
  intent: Intent,
  { W, wh, phase_A }: StorageState,
  grid_A: readonly number[] | undefined,
): Part {
  const { capacity_wh, min_wh, max_wh, charge_w, discharge_w } = storage;
  const tolerance_wh = levelTolerance * capacity_wh;
  const isFull = wh !== undefined && wh >= max_wh - (W > idle_W ? 0 : tolerance_wh);
  // A battery with an unknown level keeps what it has, since the plan may reserve it.
  const isEmpty = wh === undefined || wh <= min_wh + (W < -idle_W ? 0 : tolerance_wh);
  const mayDischarge = storage.kind === 'battery' || intent.mode === 'cover' || intent.mode === 'discharge';
  const part: Part = {
    storage,
    intent,
    now_W: W,
    target_W: 0,
    lowest_W: isEmpty || !mayDischarge ? 0 : -discharge_w,
    highest_W: isFull ? 0 : charge_w,
    shares: sharesOf(phase_A, grid_A, charge_w),
  };
  if (wh === undefined) return part;
  // A level beyond the planned one ends the step early, so that a plan that is hours old does not overshoot.
  const { mode } = intent;
  const isReached = (mode === 'charge' && wh >= intent.wh) || (mode === 'discharge' && wh <= intent.wh);
  if (isReached) part.intent = { ...intent, power_w: 0 };
  return part;
}

const singlePhaseMax_W = 7400; // 32 A

/** Returns how the power is divided among the phases, where that is known. */
function sharesOf(
  phase_A: readonly number[] | undefined,
  grid_A: readonly number[] | undefined,
  charge_w: number,
): readonly number[] | undefined {
  if (!grid_A) return thirds;
  if (grid_A.length === 1) return [1];
  const total = phase_A?.reduce((sum, A) => sum + Math.abs(A), 0) ?? 0;
  if (phase_A?.length === 3 && total > 2) return phase_A.map((A) => Math.abs(A) / total);
  return charge_w > singlePhaseMax_W ? thirds : undefined;
}

const thirds = [1 / 3, 1 / 3, 1 / 3];

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** Returns the power that the intent means; `net_W` is the import without this storage and those after it. */
function wanted({ intent: { mode, power_w }, lowest_W, highest_W }: Part, net_W: number): number {
  switch (mode) {
    case 'charge':
      return clamp(power_w, 0, highest_W);
    case 'discharge':
      return clamp(-power_w, lowest_W, 0);
    case 'store':
      return clamp(Math.min(power_w, -net_W), 0, highest_W);
    case 'cover':
      return clamp(clamp(-net_W, -power_w, power_w), lowest_W, highest_W);
    case 'hold':
      return 0;
  }
}

/** Charges with nothing rather than with less than the device can. */
const withoutTooLittle = ({ storage: { charge_min_w = 0 } }: Part, W: number): number =>
  W > 0 && W < charge_min_w ? 0 : W;

const sumOf = (parts: readonly Part[], rest_W: number): number =>
  parts.reduce((sum, { target_W }) => sum + target_W, rest_W);

/** Lowers the power of a storage by up to this much, not below `floor_W`; returns what remains. */
function lower(part: Part, by_W: number, floor_W: number): number {
  if (by_W <= 0 || part.target_W <= floor_W) return by_W;
  const before = part.target_W;
  part.target_W = withoutTooLittle(part, Math.max(floor_W, before - by_W));
  return by_W - (before - part.target_W);
}

/** Keeps the import below the limit and the planned peak: charges less, batteries before cars, then discharges batteries. */
function keepImport(
  { plan, peakAllowed_W }: Situation,
  cars: readonly Part[],
  batteries: readonly Part[],
  rest_W: number,
): void {
  const limit_W = plan.import_limit_w ?? Number.POSITIVE_INFINITY;
  const allowed_W = Math.min(limit_W, peakAllowed_W);
  let over_W = sumOf(cars, sumOf(batteries, rest_W)) - allowed_W;
  for (const part of [...batteries, ...cars]) over_W = lower(part, over_W, 0);
  for (const part of batteries) over_W = lower(part, over_W, part.lowest_W);
}

/** Keeps the export below the limit: discharges less, then charges. The caller curtails the sun for the rest. */
function keepExport({ plan: { export_limit_w } }: Situation, parts: readonly Part[], rest_W: number): void {
  if (export_limit_w === undefined) return;
  for (const floor of [0, Number.POSITIVE_INFINITY]) {
    for (const part of parts) {
      const excess_W = -sumOf(parts, rest_W) - export_limit_w;
      const highest_W = Math.min(floor, part.storage.kind === 'battery' ? part.highest_W : 0);
      if (excess_W <= 0 || part.target_W >= highest_W) continue;
      part.target_W = Math.min(highest_W, part.target_W + excess_W);
    }
  }
}

/** Keeps the current of each phase below the fuse; returns by how much the export of a phase exceeds it even so. */
function keepFuse(fuse_A: number, grid: GridState, cars: readonly Part[], batteries: readonly Part[]): number {
  const phases = phasesOf(grid);
  const change = (part: Part, by_W: number): void => {
    for (const [phase] of phases.entries()) phases[phase] = (phases[phase] ?? 0) + effect_A(part, phase, by_W);
  };
  const all = [...batteries, ...cars];
  for (const part of all) if (part.target_W < part.now_W) change(part, part.target_W - part.now_W);
  // Raises only as far as the worst case allows: all of it on the phase with the least room.
  for (const part of [...cars, ...batteries]) {
    const wanted_W = part.target_W - part.now_W;
    if (wanted_W <= 0) continue;
    const room_W = Math.min(...phases.map((A, phase) => roomOf(fuse_A - A, part.shares ? part.shares[phase] : 1)));
    part.target_W = withoutTooLittle(part, part.now_W + Math.min(wanted_W, Math.max(0, room_W)));
    change(part, part.target_W - part.now_W);
  }
  const lowerForFuse = (part: Part, floor_W: number): void => {
    const over_W = Math.max(
      ...phases.map((A, phase) => neededFor(A - fuse_A, part.shares ? part.shares[phase] : 1 / 3)),
    );
    if (over_W <= 0 || part.target_W <= floor_W) return;
    const before = part.target_W;
    lower(part, over_W, floor_W);
    change(part, part.target_W - before);
  };
  for (const part of all) lowerForFuse(part, 0);
  for (const part of batteries) lowerForFuse(part, part.lowest_W);
  for (const part of all) {
    const over_W = Math.max(
      ...phases.map((A, phase) => neededFor(-A - fuse_A, part.shares ? part.shares[phase] : 1 / 3)),
    );
    if (over_W <= 0 || part.target_W >= 0) continue;
    const before = part.target_W;
    part.target_W = Math.min(0, part.target_W + over_W);
    change(part, part.target_W - before);
  }
  return Math.max(0, ...phases.map((A) => -A - fuse_A));
}

/** Returns the effect of a change on a phase. Where the phases are unknown, more power is assumed on each, less spread evenly. */
const effect_A = ({ shares }: Part, phase: number, by_W: number): number =>
  (by_W / volts) * (shares ? (shares[phase] ?? 0) : by_W > 0 ? 1 : 1 / 3);

const minShare = 0.05; // of a phase that a storage uses

const roomOf = (room_A: number, share = 0): number =>
  share < minShare ? Number.POSITIVE_INFINITY : (room_A * volts) / share;

const neededFor = (over_A: number, share = 0): number =>
  share < minShare || over_A <= 0 ? 0 : (over_A * volts) / share;
