import { quarterMs } from '#contract/cloud/energy.ts';
import { Problem } from '#contract/problem.ts';
import { hourMs } from '#contract/time.ts';
import { addDays, startOfDate } from '#contract/time-zone.ts';
import { gridOf } from '#plan/schedule.ts';
import { selfConsumption } from '#plan/self-consumption.ts';
import { readContract } from '../bill/contract.ts';
import { actualFlow, type GridFlow, quartersFrom } from '../bill/quarters.ts';
import { type BilledHousehold, powerCharge } from '../bill/site-bill.ts';
import type { PlanDayRow } from '../store/plan-rows.ts';
import { findFirstPlanOf, listPlanDays } from '../store/plans.ts';
import { getSite } from '../store/sites.ts';
import type { MadePlan, PlanDeps } from './make-plan.ts';
import { cut, houseOf } from './past-house.ts';
import { type PlanBody, unpackPlan } from './stored-plan.ts';

type Power = Pick<PlanDayRow, 'power_promised' | 'power_realised' | 'power_self_consumption'>;

const none: Power = { power_promised: null, power_realised: null, power_self_consumption: null };

/**
 * Returns the power charge of the month with the peaks until the end of a day, calculated as the bill does: as the first plan of
 * the day promised, as it is, and if batteries had only covered the house since the first plan of the month.
 */
export async function monthPower(
  { store: { db }, calculator }: Pick<PlanDeps, 'store' | 'calculator'>,
  { known, found }: MadePlan,
  row: PlanDayRow,
): Promise<Power> {
  const { timeZone } = known;
  const site = await getSite(db, row.site_id);
  const home = { site, timeZone, contract: await readContract(db, site.id), calculator };
  const firstDate = `${row.day.slice(0, 7)}-01`;
  const [from, dayStart, to] = [firstDate, row.day, addDays(row.day, 1)].map((day) => startOfDate(timeZone, day));
  if (from! < known.quarters.from) return none;
  const quarters = cut(known.quarters, from!, to!);
  const actual = actualFlow(quarters);
  const realised = await amountOf(home, actual);
  if (realised === null) return none;

  const planOf = async (day: string): Promise<PlanBody | undefined> => {
    const stored = await findFirstPlanOf(db, site.id, day);
    return stored && unpackPlan(stored.result);
  };
  const plan = row.promised === null ? undefined : await planOf(row.day);
  const [firstRow = row] = await listPlanDays(db, site.id, firstDate, row.day);
  const first = await planOf(firstRow.day);
  const levels = new Map(first?.storages.map(({ der_id, start_wh }) => [der_id, start_wh]));
  const batteries = found.problem.storages.filter(({ id, kind }) => kind === 'battery' && levels.has(id));
  const plain = (since: number): GridFlow => {
    const rest = quartersFrom(quarters, since);
    const house = houseOf(
      rest,
      batteries.map((battery) => ({ ...battery, start_wh: levels.get(battery.id)! })),
      timeZone,
    );
    return withPowers(actual, since, gridOf(house, selfConsumption(house)));
  };
  const since = Math.max(from!, Math.ceil(Date.parse(first?.made_at ?? '') / quarterMs) * quarterMs);
  return {
    power_realised: realised,
    power_promised: plan ? await amountOf(home, promisedFlow(actual, plan, dayStart!)) : null,
    power_self_consumption: batteries.length > 0 ? await amountOf(home, plain(since)) : null,
  };
}

/** Returns the power charge of a flow; null without one, or where the bill cannot calculate it. */
async function amountOf(home: BilledHousehold, flow: GridFlow): Promise<number | null> {
  try {
    const charge = await powerCharge(home, [flow]);
    return charge ? Math.round(charge.amount * 100) / 100 : null;
  } catch (error) {
    if (error instanceof Problem && error.code === 'unprocessable') return null;
    throw error;
  }
}

/** Returns a flow with the planned energy of its last day. */
function promisedFlow(actual: GridFlow, { steps }: PlanBody, dayStart: number): GridFlow {
  const near = steps.filter(({ start, end }) => Date.parse(end) - Date.parse(start) === quarterMs);
  const since = Math.max(dayStart, Date.parse(near[0]?.start ?? ''));
  return withPowers(
    actual,
    since,
    near.filter(({ start }) => Date.parse(start) >= since).map(({ grid_w }) => grid_w),
  );
}

/** Replaces the quarters of a flow from an instant on by powers in W; import is positive. */
function withPowers({ from, ...flow }: GridFlow, since: number, powers: ArrayLike<number>): GridFlow {
  const [imported, exported] = [Float64Array.from(flow.imported), Float64Array.from(flow.exported)];
  const skipped = (since - from) / quarterMs;
  for (let i = skipped; i < imported.length && i - skipped < powers.length; i++) {
    const wh = (powers[i - skipped]! * quarterMs) / hourMs;
    imported[i] = Math.max(0, wh);
    exported[i] = Math.max(0, -wh);
  }
  return { from, imported, exported };
}
