import type { PlanAnswer } from '#contract/plan.ts';
import { type PlanSaying, sayingOf } from '#contract/plan-sentences.ts';
import { formatTime } from '#contract/time.ts';
import { clausesInEnglish, inEnglish } from '#plan/english.ts';
import { chargedPeaks, peakPeriods } from '#plan/peaks.ts';
import { type Savings, savingsOf } from '#plan/sentence.ts';
import type { SiteProblem } from './site-problem.ts';
import type { PlanBody } from './stored-plan.ts';

type Made = { id: string; madeAt: number; because: string; currency: string; isSimulated: boolean };

/** Describes a plan as the API reports it. */
export function planBody(found: SiteProblem, answer: PlanAnswer, made: Made): PlanBody {
  const { problem, timeZone, edges, load, solar } = found;
  const { cost } = answer;
  const savings = savingsOf(problem, cost);
  const clauses = clausesOf(found, savings);
  const notPlanned = [...found.missing, ...found.unplanned];
  return {
    id: made.id,
    made_at: formatTime(made.madeAt),
    because: made.because,
    currency: made.currency,
    is_price_simulated: made.isSimulated,
    steps: answer.steps.map((step, n) => ({
      start: formatTime(edges[n]!),
      end: formatTime(edges[n + 1]!),
      import_price: price(problem.import_price[n]!),
      export_price: price(problem.export_price[n]!),
      is_price_assumed: found.isAssumed[n]!,
      load_w: Math.round(load[n]!.mean),
      load_low_w: Math.round(load[n]!.low),
      load_high_w: Math.round(load[n]!.high),
      solar_w: Math.round(solar[n]!.mean),
      solar_low_w: Math.round(solar[n]!.low),
      solar_high_w: Math.round(solar[n]!.high),
      solar_used_w: Math.round(step.solar_used_w),
      grid_w: Math.round(step.grid_w),
      storages: Object.fromEntries(
        Object.entries(step.storages).map(([id, { charge_w, discharge_w, wh, ...reason }]) => [
          id,
          { charge_w: Math.round(charge_w), discharge_w: Math.round(discharge_w), wh: Math.round(wh), ...reason },
        ]),
      ),
      reason: step.reason,
    })),
    storages: found.storages.map(({ der, storage }) => ({
      der_id: der.id,
      name: der.device,
      kind: storage.kind,
      capacity_wh: storage.capacity_wh,
      start_wh: Math.round(storage.start_wh),
    })),
    cost: {
      energy: amount(cost.energy),
      peaks: amount(cost.peaks),
      wear: amount(cost.wear),
      over_import: amount(cost.over_import),
      end_value: amount(cost.end_value),
      total: amount(cost.total),
    },
    self_consumption_cost: found.isYoung ? null : amount(savings.selfConsumption.total),
    saves: found.isYoung ? null : amount(savings.saves),
    sentence: clausesInEnglish(clauses, { timeZone }),
    peaks: peaksSoFar(found),
    planned_peak_kw: plannedPeak(found, answer),
    relaxed: answer.relaxed,
    assumed: found.assumed.map((assumed) => (typeof assumed === 'string' ? assumed : inEnglish(assumed, { timeZone }))),
    not_planned: notPlanned.map((saying) => inEnglish(saying, { timeZone })),
    says: {
      not_planned: notPlanned,
      because: sayingOf(made.because),
      sentence: clauses,
      assumed: found.assumed.map((assumed) => (typeof assumed === 'string' ? null : assumed)),
    },
  };
}

const amount = (value: number): number => Math.round(value * 100) / 100 + 0;
const price = (value: number): number => Math.round(value * 10_000) / 10_000 + 0;

/** Returns the clauses of what the plan saves, and where from. */
function clausesOf({ problem, isYoung }: SiteProblem, { says }: Savings): PlanSaying[] {
  if (problem.storages.length === 0) return [{ key: 'only_sun' }];
  return isYoung ? [{ key: 'unmeasured' }] : says;
}

/** Lists the peaks of the month that count so far, highest first. */
function peaksSoFar({ problem }: SiteProblem): PlanBody['peaks'] {
  const [fee] = problem.peak_fees ?? [];
  return (fee?.peaks_so_far ?? [])
    .slice(0, fee?.count)
    .map(({ day, kw }) => ({ day, kw: Math.round(kw * 1000) / 1000 }));
}

/** Returns the highest peak that counts this month with the plan, so far or planned; null without power charges. */
function plannedPeak({ problem }: SiteProblem, { steps }: PlanAnswer): number | null {
  const [period] = peakPeriods(problem);
  if (!period) return null;
  const importKw = steps.map(({ grid_w }) => Math.max(0, grid_w) / 1000);
  return Math.round((chargedPeaks(period, importKw)[0] ?? 0) * 1000) / 1000;
}
