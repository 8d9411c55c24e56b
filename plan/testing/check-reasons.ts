import type { PlanAnswer, PlanProblem } from '#contract/plan.ts';
import { wallAt } from '#contract/time-zone.ts';
import { addedFee, peakPeriods } from '../peaks.ts';

const idleW = 1;

/** Returns the reasons whose numbers do not follow from the steps of a plan. Written independently of the reasons. */
export function wrongReasons(problem: PlanProblem, { steps }: Pick<PlanAnswer, 'steps'>): string[] {
  const wrong: string[] = [];
  for (const [t, { reason }] of steps.entries()) {
    const complaint = complaintAbout(problem, steps, t);
    if (complaint) wrong.push(`step ${t}: ${reason.text} (${complaint})`);
  }
  return wrong;
}

type Steps = PlanAnswer['steps'];

const number = String.raw`(-?\d+\.\d+)`;
const time = String.raw`(\d\d:\d\d(?: on \d{4}-\d\d-\d\d)?)`;
const more = `1 kW more would then add ${number} to the power charge`;
const source = `(?:at ${number}|from the sun)`;

const forms = {
  saves: new RegExp(`^Charging ${number} kW ${source}: saves ${number} per kWh at ${time}\\.$`),
  chargePeak: new RegExp(`^Charging ${number} kW ${source} for ${time}; ${more}\\.$`),
  goal: new RegExp(`^Charging ${number} kW ${source}, for ${number} kWh by ${time}\\.$`),
  worth: new RegExp(`^Charging ${number} kW ${source}; a stored kWh is worth ${number} later\\.$`),
  sell: new RegExp(`^Selling ${number} kW at ${number}\\.$`),
  peak: new RegExp(`^Discharging ${number} kW keeps the import at ${number} kW; ${more}\\.$`),
  dear: new RegExp(`^Discharging ${number} kW replaces energy at ${number}\\.$`),
  holdPeak: new RegExp(`^Holding ${number} kWh for ${time}; ${more}\\.$`),
  hold: new RegExp(`^Holding ${number} kWh for ${time}, when a kWh costs ${number} instead of ${number}\\.$`),
  none: /^Nothing to gain in this step\.$/,
} as const;

function complaintAbout(problem: PlanProblem, steps: Steps, t: number): string | undefined {
  const step = steps[t]!;
  const { text } = step.reason;
  const form = (Object.keys(forms) as (keyof typeof forms)[]).find((name) => forms[name].test(text));
  if (!form) return 'of no known form';
  const [, ...found] = forms[form].exec(text)!;
  const is = (index: number, expected: number, decimals: number): boolean =>
    Math.abs(Number(found[index]) - expected) <= 0.5 * 10 ** -decimals + 1e-6;
  const powers = problem.storages.map(({ id }) => step.storages[id]!);
  const charges = powers.some(({ charge_w }) => is(0, charge_w / 1000, 1));
  const discharges = powers.some(({ discharge_w }) => is(0, discharge_w / 1000, 1));
  const isBought = step.grid_w > idleW;
  const price = priceAt(problem, steps, t);
  const isSource = found[1] === undefined ? !isBought : isBought && is(1, problem.import_price[t]!, 2);
  const then = (index: number): number => stepAt(problem, found[index]!, t);
  switch (form) {
    case 'saves': {
      const use = then(3);
      const isSaving = problem.storages.some((storage) => {
        const kept = storage.charge_efficiency * storage.discharge_efficiency;
        return (
          is(2, (priceAt(problem, steps, use) - (storage.wear_per_kwh ?? 0)) * kept - price, 2) &&
          steps[use]!.storages[storage.id]!.discharge_w > 0
        );
      });
      return charges && isSource && isSaving ? undefined : 'saving';
    }
    case 'chargePeak':
      return charges && isSource && is(3, moreCosts(problem, steps, then(2)), 2) ? undefined : 'peak of a charge';
    case 'goal': {
      const end = then(3) - 1;
      const hasGoal = problem.storages.some(({ goals = [] }) =>
        goals.some((goal) => goal.step === end && is(2, goal.wh / 1000, 1)),
      );
      return charges && isSource && hasGoal ? undefined : 'goal';
    }
    case 'worth':
      return charges && isSource && problem.storages.some(({ end_value_per_kwh = 0 }) => is(2, end_value_per_kwh, 2))
        ? undefined
        : 'worth';
    case 'sell': {
      const sold = powers.some(({ discharge_w }) => is(0, Math.min(discharge_w, -step.grid_w) / 1000, 1));
      return sold && is(1, problem.export_price[t]!, 2) ? undefined : 'sale';
    }
    case 'peak':
      return discharges && is(1, step.grid_w / 1000, 1) && is(2, moreCosts(problem, steps, t), 2) ? undefined : 'peak';
    case 'dear':
      return discharges && is(1, problem.import_price[t]!, 2) ? undefined : 'price';
    case 'holdPeak':
    case 'hold': {
      const use = then(1);
      const isHeld = problem.storages.some(
        ({ id, min_wh }) =>
          is(0, (step.storages[id]!.wh - min_wh) / 1000, 1) && steps[use]!.storages[id]!.discharge_w > 0,
      );
      if (!isHeld) return 'the held energy';
      if (form === 'holdPeak') return is(2, moreCosts(problem, steps, use), 2) ? undefined : 'peak later';
      return is(2, priceAt(problem, steps, use), 2) && is(3, price, 2) ? undefined : 'prices';
    }
    case 'none':
      return powers.every(({ charge_w, discharge_w }) => charge_w <= idleW && discharge_w <= idleW)
        ? undefined
        : 'idle';
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
