import type { GatewayPlan } from '#contract/gateway-plan.ts';
import type { PlanAnswer, PlanProblem } from '#contract/plan.ts';
import { intentsOf, peakLimitsOf } from './intents.ts';

const maxReasonLength = 300;
const curtailedW = 20; // less is rounding

/** Returns the steps of a plan that a gateway carries out, up to a number of hours. */
export function gatewaySteps(
  problem: PlanProblem,
  { steps }: Pick<PlanAnswer, 'steps'>,
  maxHours: number,
): GatewayPlan['steps'] {
  const limits = peakLimitsOf(
    problem,
    steps.map(({ grid_w }) => grid_w),
  );
  const intents = intentsOf(problem, steps);
  const first = Date.parse(problem.start);
  const end = first + maxHours * 3_600_000;
  let start = first;
  return steps.flatMap(({ grid_w, solar_used_w, reason }, t) => {
    const s = problem.steps_s[t]!;
    const [at, limit] = [start, limits[t]];
    start += s * 1000;
    if (start > end) return [];
    return {
      start: at,
      s,
      grid_w,
      intents: intents[t]!,
      ...(limit !== undefined && { peak_w: limit }),
      ...(solar_used_w < problem.solar_w[t]! - curtailedW && { solar_max_w: Math.max(0, solar_used_w) }),
      reason: reason.text.slice(0, maxReasonLength),
    };
  });
}
