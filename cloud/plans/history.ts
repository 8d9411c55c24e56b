import type { PlanHistory } from '#contract/cloud/plans.ts';
import { fieldProblem } from '#contract/problem.ts';
import { parseTime } from '#contract/time.ts';
import { addDays, dateAt } from '#contract/time-zone.ts';
import type { Db } from '../store/engine.ts';
import type { PlanDayRow } from '../store/plan-rows.ts';
import { findLastPlan, listPlanDays } from '../store/plans.ts';
import { unpackPlan } from './stored-plan.ts';

/** Days of results that are kept, and that an answer may have. */
export const maxHistoryDays = 400;
const usualDays = 30;

type Asked = { siteId: string; timeZone: string; from?: string | undefined; to?: string | undefined; now: number };

/** Reads what plans promised and what happened, the newest day first. */
export async function readHistory(db: Db, { siteId, timeZone, now, ...range }: Asked): Promise<PlanHistory> {
  const today = dateAt(timeZone, now);
  const to = checkedDay('to', range.to) ?? today;
  const from = checkedDay('from', range.from) ?? addDays(to, -usualDays);
  if (from > to) throw fieldProblem('unprocessable', 'query.from', 'must not be after the last day');
  if (addDays(to, -maxHistoryDays) >= from)
    throw fieldProblem('unprocessable', 'query.to', `must be less than ${maxHistoryDays} days after the first`);
  const rows = await listPlanDays(db, siteId, from, to);
  const ofMonth = await listPlanDays(db, siteId, `${today.slice(0, 7)}-01`, today);
  const saved = ofMonth.flatMap((row) => savedOn(row) ?? []);
  const energy = saved.length > 0 ? cents(saved.reduce((sum, each) => sum + each, 0)) : null;
  const power = ofMonth.map(powerUntil).findLast((each) => each !== null) ?? null;
  const last = await findLastPlan(db, siteId);
  return {
    site_id: siteId,
    currency: last ? unpackPlan(last.result).currency : null,
    days: rows.reverse().map((row) => {
      const { site_id: _, day: date, power_promised, power_realised, power_self_consumption, ...figures } = row;
      return { date, ...figures, saved: savedOn(row), power: powerUntil(row) };
    }),
    month: {
      saved: energy === null ? null : cents(energy + savedPower(power)),
      saved_energy: energy,
      power,
      days: saved.length,
    },
  };
}

const savedOn = ({ realised, self_consumption }: PlanDayRow): number | null =>
  realised === null || self_consumption === null ? null : cents(self_consumption - realised);

type MonthPower = PlanHistory['month']['power'];

const powerUntil = ({ power_promised, power_realised, power_self_consumption }: PlanDayRow): MonthPower =>
  power_realised === null
    ? null
    : { promised: power_promised, realised: power_realised, self_consumption: power_self_consumption };

const savedPower = (power: MonthPower): number =>
  power === null || power.self_consumption === null ? 0 : power.self_consumption - power.realised;

const cents = (amount: number): number => Math.round(amount * 100) / 100 + 0;

function checkedDay(name: 'from' | 'to', date: string | undefined): string | undefined {
  if (date === undefined || parseTime(`${date}T00:00:00Z`) !== undefined) return date;
  throw fieldProblem('unprocessable', `query.${name}`, 'is not a day of the calendar');
}
