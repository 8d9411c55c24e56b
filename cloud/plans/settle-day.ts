import { quarterMs } from '#contract/cloud/energy.ts';
import type { PlanStorage } from '#contract/plan.ts';
import { hourMs } from '#contract/time.ts';
import { addDays, startOfDate } from '#contract/time-zone.ts';
import { type History, meanAbsoluteError, meanOver } from '#plan/forecast/history.ts';
import { costOf, levelsOf } from '#plan/schedule.ts';
import { selfConsumption } from '#plan/self-consumption.ts';
import type { SiteQuarters } from '../energy/report.ts';
import type { PlanDayRow } from '../store/plan-rows.ts';
import { findFirstPlanOf, savePlanDay } from '../store/plans.ts';
import type { MadePlan, PlanDeps } from './make-plan.ts';
import { monthPower } from './month-power.ts';
import { cut, houseOf } from './past-house.ts';
import { createTerms, importPrice, type SiteKnowledge, spotHistory } from './site-problem.ts';
import { type PlanBody, unpackPlan } from './stored-plan.ts';

const leastCovered = 0.9; // of a day, to compare it
const wholeCovered = 0.99;
const lateMs = 6 * hourMs; // in which missing readings may still arrive

/** Compares a local day that is over with its plans: what its energy cost, and how good the forecasts were. */
export async function settleDay(
  deps: Pick<PlanDeps, 'store' | 'calculator'>,
  made: MadePlan,
  row: PlanDayRow,
): Promise<void> {
  const { store } = deps;
  const { known, found } = made;
  const { site_id, day } = row;
  const [from, to] = [startOfDate(known.timeZone, day), startOfDate(known.timeZone, addDays(day, 1))];
  const quarters = cut(known.quarters, from, to);
  const covered = quarters.coveredS.reduce((sum, seconds) => sum + seconds, 0) * 1000;
  const isLate = known.now - to >= lateMs;
  if (covered < (isLate ? leastCovered : wholeCovered) * (to - from)) return; // was not measured, or is not received yet
  const plans = await Promise.all(
    [addDays(day, -1), day, addDays(day, 1)].map((each) => findFirstPlanOf(store.db, site_id, each)),
  );
  const [before, first, after] = plans.map((plan) => plan && unpackPlan(plan.result));
  const settled: PlanDayRow = {
    ...row,
    ...costsOf(known, found.problem.storages, quarters, first, after),
    ...errorsOf(known, quarters, first, before),
    ...(await monthPower(deps, made, row)),
  };
  await store.write(({ db }) => savePlanDay(db, settled));
}

type Costs = Pick<PlanDayRow, 'realised' | 'self_consumption'>;

/**
 * Returns what the energy of the day cost, and what it would have cost if batteries had only covered the house. Energy that
 * one of the two leaves in the battery is worth the mean price of the day.
 */
function costsOf(
  known: SiteKnowledge,
  storages: readonly PlanStorage[],
  quarters: SiteQuarters,
  first?: PlanBody,
  after?: PlanBody,
): Costs {
  const { from, series } = quarters;
  const spot = spotHistory(known.prices);
  const termAt = createTerms(known.prices.terms);
  const length = series.import.length;
  const starts = Array.from({ length }, (_, i) => from + i * quarterMs);
  const spotAt = starts.map((start) => meanOver(spot, { start, end: start + quarterMs }));
  const imports = starts.map((start, i) => importPrice(termAt(start), spotAt[i]!));
  const exports = starts.map((start, i) => termAt(start).export_fixed + termAt(start).export_spot * spotAt[i]!);
  if ([...imports, ...exports].some(Number.isNaN)) return { realised: null, self_consumption: null };
  let realised = 0;
  for (let i = 0; i < length; i++)
    realised += (series.import[i]! * imports[i]! - series.export[i]! * exports[i]!) / 1000;
  const batteries = (first?.storages ?? []).filter(({ kind }) => kind === 'battery');
  // The levels at the start and at the end of the day are those of the plans that were made then.
  const isSoonAfter = (plan: PlanBody, instant: number): boolean => Date.parse(plan.made_at) - instant < hourMs;
  if (batteries.length === 0 || !first || !after || !isSoonAfter(first, from) || !isSoonAfter(after, quarters.to))
    return { realised: cents(realised), self_consumption: null };
  const problem = houseOf(
    quarters,
    storages
      .filter(({ id }) => batteries.some(({ der_id }) => der_id === id))
      .map((storage) => ({ ...storage, start_wh: batteries.find(({ der_id }) => der_id === storage.id)!.start_wh })),
    known.timeZone,
    { import_price: imports, export_price: exports },
  );
  const plain = selfConsumption(problem);
  const hours = problem.steps_s.map((seconds) => seconds / 3600);
  const value = imports.reduce((sum, price) => sum + price, 0) / length;
  const left = problem.storages.reduce((sum, storage, n) => {
    const actual = after.storages.find(({ der_id }) => der_id === storage.id)?.start_wh ?? Number.NaN;
    return sum + actual - levelsOf(storage, plain.storages[n]!, hours).at(-1)!;
  }, 0);
  const cost = costOf(problem, plain).energy + (left / 1000) * value;
  return { realised: cents(realised), self_consumption: Number.isNaN(cost) ? null : cents(cost) };
}

type Errors = Pick<PlanDayRow, 'load_error_w' | 'solar_error_w' | 'price_error'>;

/** Returns the mean absolute errors of the forecasts: of the first plan of the day, and for prices of that of the day before. */
function errorsOf(known: SiteKnowledge, quarters: SiteQuarters, first?: PlanBody, before?: PlanBody): Errors {
  const { from, to, series } = quarters;
  const actual = (values: Float64Array): History => ({
    startMs: from,
    stepMs: quarterMs,
    values: values.map((wh) => (wh * hourMs) / quarterMs),
  });
  const steps = spansOf(first, from, to);
  const ofField = (field: 'load_w' | 'solar_w', values: Float64Array): number | null => {
    const history = actual(values);
    const happened = steps.map((step) => meanOver(history, step));
    return finite(
      meanAbsoluteError(
        steps.map((step) => step[field]),
        happened,
      ),
    );
  };
  const spot = spotHistory(known.prices);
  const termAt = createTerms(known.prices.terms);
  const assumed = spansOf(before, from, to).filter(({ is_price_assumed }) => is_price_assumed);
  const paid = assumed.map((step) => importPrice(termAt(step.start), meanOver(spot, step)));
  const expected = assumed.map(({ import_price }) => import_price);
  const priceError = meanAbsoluteError(expected, paid);
  return {
    load_error_w: rounded(ofField('load_w', series.load)),
    solar_error_w: rounded(ofField('solar_w', series.solar)),
    price_error: Number.isNaN(priceError) ? null : Math.round(priceError * 10_000) / 10_000,
  };
}

const spansOf = (plan: PlanBody | undefined, from: number, to: number) =>
  (plan?.steps ?? [])
    .map((step) => ({ ...step, start: Date.parse(step.start), end: Date.parse(step.end) }))
    .filter(({ start, end }) => start >= from && end <= to);

const finite = (value: number): number | null => (Number.isNaN(value) ? null : value);
const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value));
const cents = (value: number): number => Math.round(value * 100) / 100 + 0;
