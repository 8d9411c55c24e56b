import type { PlanAnswer, PlanProblem, PlanReason, PlanStorage } from '#contract/plan.ts';
import { wallAt } from '#contract/time-zone.ts';
import { addedFee, peakPeriods } from '../peaks.ts';

const idleW = 1; // of the grid
const actsW = 50; // of a storage

/** Returns the reasons whose numbers do not follow from the steps of a plan. Written independently of the reasons. */
export function wrongReasons(problem: PlanProblem, { steps }: Pick<PlanAnswer, 'steps'>): string[] {
  const wrong: string[] = [];
  for (const [t, step] of steps.entries()) {
    const report = (text: string, complaint: string | undefined): unknown =>
      complaint && wrong.push(`step ${t}: ${text} (${complaint})`);
    for (const storage of problem.storages) {
      const { charge_w, discharge_w, reason } = step.storages[storage.id]!;
      if (reason) report(reason.text, complaintAbout(problem, steps, t, storage, reason));
      else if (Math.max(charge_w, discharge_w) > actsW) report(storage.id, 'no reason');
    }
    report(step.reason.text, isOfMostActive(step) ? undefined : 'not the reason of the highest power');
  }
  return wrong;
}

/** Tells whether the reason of a step is that of the storage with the highest power, or of one that waits. */
function isOfMostActive({ reason, storages }: Steps[number]): boolean {
  const powerOf = ({ charge_w, discharge_w }: StorageStep): number => Math.max(charge_w, discharge_w);
  const all = Object.values(storages);
  const most = Math.max(0, ...all.map(powerOf));
  const reasons = all.flatMap((storage) =>
    storage.reason && (most <= actsW || powerOf(storage) === most) ? [storage.reason.text] : [],
  );
  return reasons.length > 0 ? reasons.includes(reason.text) : forms.none.test(reason.text);
}

type Steps = PlanAnswer['steps'];
type StorageStep = Steps[number]['storages'][string];

const number = String.raw`(-?\d+\.\d+)`;
const time = String.raw`(\d\d:\d\d(?: on \d{4}-\d\d-\d\d)?)`;
const more = `1 kW more would then add ${number} to the power charge`;
const source = `(?:at ${number} per kWh|from the sun|(without buying energy))`;

const forms = {
  saves: new RegExp(`^Charging ${number} kW ${source}: saves ${number} per kWh at ${time}\\.$`),
  chargePeak: new RegExp(`^Charging ${number} kW ${source} for ${time}; ${more}\\.$`),
  goal: new RegExp(`^Charging ${number} kW ${source}, to have ${number} kWh by ${time}\\.$`),
  worth: new RegExp(`^Charging ${number} kW ${source}; a stored kWh is worth ${number} later\\.$`),
  sell: new RegExp(`^Selling ${number} kW at ${number} per kWh\\.$`),
  peak: new RegExp(
    `^Discharging ${number} kW keeps the mean import at ${number} kW; 1 kW more would add ${number} to the power charge\\.$`,
  ),
  dear: new RegExp(`^Discharging ${number} kW replaces energy at ${number} per kWh\\.$`),
  holdPeak: new RegExp(`^Holding ${number} kWh for ${time}; ${more}\\.$`),
  hold: new RegExp(`^Holding ${number} kWh for ${time}, when a kWh costs ${number} instead of ${number}\\.$`),
  waitPeak: new RegExp(`^Waiting for ${time}; 1 kW more now would add ${number} to the power charge\\.$`),
  wait: new RegExp(`^Waiting for ${time}, when a kWh costs ${number} instead of ${number}\\.$`),
  none: /^Nothing to gain in this step\.$/,
} as const;

function complaintAbout(
  problem: PlanProblem,
  steps: Steps,
  t: number,
  storage: PlanStorage,
  { text }: PlanReason,
): string | undefined {
  const step = steps[t]!;
  const form = (Object.keys(forms) as (keyof typeof forms)[]).find((name) => forms[name].test(text));
  if (!form) return 'of no known form';
  const [, ...found] = forms[form].exec(text)!;
  const is = (index: number, expected: number, decimals: number): boolean =>
    Math.abs(Number(found[index]) - expected) <= 0.5 * 10 ** -decimals + 1e-6;
  const { charge_w, discharge_w, wh } = step.storages[storage.id]!;
  const [charges, discharges] = [is(0, charge_w / 1000, 1), is(0, discharge_w / 1000, 1)];
  const isIdle = Math.max(charge_w, discharge_w) <= actsW;
  const price = priceAt(problem, steps, t);
  const isBought = step.grid_w > idleW;
  const isFromStorage = Object.values(step.storages).some((other) => other.discharge_w > idleW);
  const source = found[1] === undefined ? (found[2] === undefined ? 'sun' : 'stored') : 'bought';
  const isSource =
    source === 'bought'
      ? isBought && is(1, problem.import_price[t]!, 2)
      : !isBought && isFromStorage === (source === 'stored');
  const then = (index: number): number => stepAt(problem, found[index]!, t);
  const isMeanOf = (index: number): boolean =>
    windowsAt(problem, t).some((shares) => is(index, meanImport(steps, shares), 1));
  switch (form) {
    case 'saves': {
      const use = then(4);
      const kept = storage.charge_efficiency * storage.discharge_efficiency;
      const isSaving = is(3, (priceAt(problem, steps, use) - (storage.wear_per_kwh ?? 0)) * kept - price, 2);
      return charges && isSource && isSaving && steps[use]!.storages[storage.id]!.discharge_w > 0
        ? undefined
        : 'saving';
    }
    case 'chargePeak':
      return charges && isSource && is(4, moreCosts(problem, steps, then(3)), 2) ? undefined : 'peak of a charge';
    case 'goal': {
      const end = then(4) - 1;
      const hasGoal = (storage.goals ?? []).some((goal) => goal.step === end && is(3, goal.wh / 1000, 1));
      return charges && isSource && hasGoal ? undefined : 'goal';
    }
    case 'worth':
      return charges && isSource && is(3, storage.end_value_per_kwh ?? 0, 2) ? undefined : 'worth';
    case 'sell': {
      const sold = is(0, Math.min(discharge_w, -step.grid_w) / 1000, 1);
      return sold && is(1, problem.export_price[t]!, 2) ? undefined : 'sale';
    }
    case 'peak':
      return discharges && isMeanOf(1) && is(2, moreCosts(problem, steps, t), 2) ? undefined : 'peak';
    case 'dear':
      return discharges && is(1, problem.import_price[t]!, 2) ? undefined : 'price';
    case 'holdPeak':
    case 'hold': {
      const use = then(1);
      const isHeld = is(0, (wh - storage.min_wh) / 1000, 1) && steps[use]!.storages[storage.id]!.discharge_w > 0;
      if (!isIdle || !isHeld) return 'the held energy';
      if (form === 'holdPeak') return is(2, moreCosts(problem, steps, use), 2) ? undefined : 'peak later';
      return is(2, priceAt(problem, steps, use), 2) && is(3, price, 2) ? undefined : 'prices';
    }
    case 'waitPeak':
    case 'wait': {
      const next = then(0);
      if (!isIdle || !(steps[next]!.storages[storage.id]!.charge_w > 0)) return 'the later charge';
      if (form === 'waitPeak') return is(1, moreCosts(problem, steps, t), 2) ? undefined : 'peak now';
      const isCheaper = Number(found[1]) < Number(found[2]);
      return isCheaper && is(1, priceAt(problem, steps, next), 2) && is(2, price, 2) ? undefined : 'prices';
    }
    default:
      return 'unknown';
  }
}

/** Returns the price of a kWh more from, or less to, the grid. */
function priceAt(problem: PlanProblem, steps: Steps, t: number): number {
  const { grid_w, storages } = steps[t]!;
  if (grid_w > idleW) return problem.import_price[t]!;
  if (grid_w < -idleW) return problem.export_price[t]!;
  const discharges = Object.values(storages).some(({ discharge_w }) => discharge_w > idleW);
  return discharges ? problem.import_price[t]! : Math.max(0, problem.export_price[t]!);
}

/** Returns the step that starts at a time of a reason; the number of steps for the end of the last one. */
function stepAt({ start, steps_s, timezone }: PlanProblem, text: string, seenFrom: number): number {
  let at = Date.parse(start);
  const starts = [at];
  for (const seconds of steps_s) {
    at += seconds * 1000;
    starts.push(at);
  }
  const walls = starts.map((ms) => new Date(wallAt(timezone, ms)).toISOString());
  const [clock, date = walls[seenFrom]!.slice(0, 10)] = text.split(' on ');
  return walls.findIndex((wall, n) => n >= seenFrom && wall.startsWith(`${date}T${clock}`));
}

/** Returns the windows of power charges that a step is part of: each step of them, with its share. */
const windowsAt = (problem: PlanProblem, t: number) =>
  peakPeriods(problem).flatMap(({ windows }) =>
    windows.map(({ shares }) => shares).filter((shares) => shares.some(([step]) => step === t)),
  );

function meanImport(steps: Steps, shares: readonly [step: number, share: number][]): number {
  const weight = shares.reduce((sum, [, share]) => sum + share, 0);
  return shares.reduce((sum, [step, share]) => sum + Math.max(0, steps[step]!.grid_w / 1000) * (share / weight), 0);
}

/** Returns what a kW more throughout the windows of a step would add to one of the fees, the highest. */
function moreCosts(problem: PlanProblem, steps: Steps, t: number): number {
  const importKw = steps.map(({ grid_w }) => Math.max(0, grid_w) / 1000);
  const added = peakPeriods(problem).flatMap((period) =>
    period.windows
      .filter(({ shares }) => shares.some(([step]) => step === t))
      .map(({ shares }) => {
        const raised = importKw.slice();
        for (const [step] of shares) raised[step]! += 1;
        return addedFee(period, raised) - addedFee(period, importKw);
      }),
  );
  return Math.max(0, ...added);
}
