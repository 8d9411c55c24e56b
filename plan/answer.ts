import type { PlanAnswer, PlanProblem } from '#contract/plan.ts';
import { explain } from './reasons.ts';
import { costOf, gridOf, hoursOf, levelsOf, missesOf, type Schedule } from './schedule.ts';

/** Returns steps with their reasons, cost and broken rules of a schedule. */
export function answerOf(problem: PlanProblem, schedule: Schedule): Pick<PlanAnswer, 'steps' | 'cost' | 'relaxed'> {
  const hours = hoursOf(problem);
  const grid = gridOf(problem, schedule);
  const levels = problem.storages.map((storage, n) => levelsOf(storage, schedule.storages[n]!, hours));
  const reasons = explain(problem, schedule);
  const steps = hours.map((_, t) => ({
    grid_w: grid[t]!,
    solar_used_w: schedule.solarUsed[t]!,
    storages: Object.fromEntries(
      problem.storages.map(({ id }, n) => {
        const { charge, discharge } = schedule.storages[n]!;
        const reason = reasons[t]!.storages[n];
        return [
          id,
          { charge_w: charge[t]!, discharge_w: discharge[t]!, wh: levels[n]![t]!, ...(reason && { reason }) },
        ];
      }),
    ),
    reason: reasons[t]!.step,
  }));
  return { steps, cost: costOf(problem, schedule), relaxed: missesOf(problem, schedule) };
}
