import type { SitePlan, SitePlanStep } from '#contract/cloud/plans.ts';
import { dayMs } from '#contract/time.ts';

export type PlanBody = NonNullable<SitePlan['plan']>;
export type PlanStorage = PlanBody['storages'][number];
export type Direction = 'charge' | 'discharge' | 'hold';

/** What a plan changes at a time: one storage does one thing for one reason. */
export type PlanChange = {
  from: number;
  to: number;
  storage: PlanStorage;
  direction: Direction;
  /** highest mean power, W */
  power_w: number;
  code: SitePlanStep['reason']['code'];
  /** the reason with its numbers, in English */
  text: string;
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

/** Lists what changes from now on: steps with the same reason follow each other as one change. Waiting is left out. */
export function changesOf(plan: PlanBody, nowMs: number): PlanChange[] {
  const changes: PlanChange[] = [];
  for (const storage of plan.storages) {
    let last: PlanChange | undefined;
    for (const step of stepsAhead(plan, nowMs)) {
      const power = powerOf(step, storage);
      const direction = directionOf(power);
      const { code, text } = step.reason;
      const isSame = last?.direction === direction && last.code === code && last.to === startOf(step);
      if (last && isSame) {
        last.to = endOf(step);
        last.power_w = Math.max(last.power_w, Math.abs(power));
        continue;
      }
      last = { from: startOf(step), to: endOf(step), storage, direction, power_w: Math.abs(power), code, text };
      if (direction !== 'hold') changes.push(last);
    }
  }
  return changes.sort((a, b) => a.from - b.from);
}
