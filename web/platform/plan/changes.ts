import type { SitePlan, SitePlanStep } from '#contract/cloud/plans.ts';
import { dayMs, minuteMs } from '#contract/time.ts';

export type PlanBody = NonNullable<SitePlan['plan']>;
export type PlanStorage = PlanBody['storages'][number];
export type Direction = 'charge' | 'discharge' | 'hold';

type Reason = SitePlanStep['reason'];

/** A change of a plan: one storage does one thing for one reason. */
export type PlanChange = {
  from: number;
  to: number;
  storage: PlanStorage;
  direction: Direction;
  /** highest mean power, W */
  power_w: number;
  /** of the step with the highest power */
  reason: Reason | undefined;
  /** when that step begins */
  at: number;
};

const leastW = 50; // less is rounding

export const startOf = ({ start }: SitePlanStep): number => Date.parse(start);
export const endOf = ({ end }: SitePlanStep): number => Date.parse(end);

/** Returns the steps that are not over, of the next two days. */
export const stepsAhead = ({ steps }: PlanBody, nowMs: number): SitePlanStep[] =>
  steps.filter((step) => endOf(step) > nowMs && startOf(step) < nowMs + 2 * dayMs);

/** Returns what a storage does in a step, W: charging is positive. */
export function powerOf({ storages }: SitePlanStep, { der_id }: PlanStorage): number {
  const { charge_w = 0, discharge_w = 0 } = storages[der_id] ?? {};
  return charge_w - discharge_w;
}

export const directionOf = (powerW: number): Direction =>
  powerW > leastW ? 'charge' : powerW < -leastW ? 'discharge' : 'hold';

const pauseMs = 30 * minuteMs;

/** Lists what changes from now on: steps with the same reason are one change, also with a short wait between them. */
export function changesOf(plan: PlanBody, nowMs: number): PlanChange[] {
  const changes: PlanChange[] = [];
  for (const storage of plan.storages) {
    let last: PlanChange | undefined;
    for (const step of stepsAhead(plan, nowMs)) {
      const power = powerOf(step, storage);
      const direction = directionOf(power);
      if (direction === 'hold') continue;
      const [at, to, power_w] = [startOf(step), endOf(step), Math.abs(power)];
      const reason = step.storages[storage.der_id]?.reason;
      const isSame = last?.direction === direction && last.reason?.code === reason?.code;
      if (last && isSame && at - last.to <= pauseMs) {
        last.to = to;
        if (power_w > last.power_w) Object.assign(last, { reason, at });
        last.power_w = Math.max(last.power_w, power_w);
        continue;
      }
      last = { from: at, to, storage, direction, power_w, reason, at };
      changes.push(last);
    }
  }
  return changes.sort((a, b) => a.from - b.from);
}
