import { gatewayPlansOf } from '#cloud/plans/gateway-plans.ts';
import { siteProblem } from '#cloud/plans/site-problem.ts';
import { quarterMs } from '#contract/cloud/energy.ts';
import type { GatewayPlan } from '#contract/gateway-plan.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { createPlanRule } from '#gateway/plan/rule.ts';
import { plan } from '#plan/planner.ts';
import { replay } from '#plan/rolling/replay.ts';
import { allowedPower, costOf, type Schedule } from '#plan/schedule.ts';
import { selfConsumption } from '#plan/self-consumption.ts';
import { hourOf, knowledgeAt, loadAndSun, type PlannedHome, plannedHome } from './planned-home.ts';
import type { Outcome } from './proof.ts';

const tickMs = 10_000;
const solverMs = 60_000;
const monthDays = 31;
const leastShare = { quiet: 0.9, sauna: 0.85 }; // of what the replay saves, compared with self-consumption
const houses = 3;

type CarryOutOptions = {
  planEveryMs?: number;
  /** days before a plan of which it knows whether their peaks count */
  countedDays?: number;
};

/** Lets the platform plan a home for a month, and the gateway carry out its plans. Returns the mean powers of the hours. */
async function carryOut(
  home: PlannedHome,
  { planEveryMs = 3 * hourMs, countedDays = monthDays }: CarryOutOptions = {},
): Promise<Schedule> {
  const { from, to, load_w, solar_w, series, problem } = home;
  const battery = problem.storages[0]!;
  const measured = loadAndSun(home);
  const powers = {
    charge: new Float64Array(problem.load_w.length),
    discharge: new Float64Array(problem.load_w.length),
  };
  const rule = createPlanRule();
  const hours = tickMs / hourMs;
  let [level, W] = [battery.start_wh, 0];
  let current: GatewayPlan | undefined;
  for (let now = from; now < to; now += tickMs) {
    if ((now - from) % planEveryMs === 0) {
      const known = knowledgeAt(home, { now, level, measured, countedDays });
      const found = siteProblem(known);
      const answer = await plan(found.problem, { timeLimitMs: solverMs });
      current = gatewayPlansOf('plan', { known, found, answer })[0]!.plan;
    }
    const minute = Math.floor((now - series.startMs) / minuteMs);
    const net_W = load_w[minute]! - solar_w[minute]!;
    const wishes = rule.decide(current!, now, {
      grid: { at: now, W: net_W + W },
      storages: new Map([[battery.id, { W, wh: level, phase_A: undefined }]]),
      cars_W: 0,
      solar: new Map(),
    });
    W = allowedPower(battery, level, wishes.storages.get(battery.id) ?? -net_W, hours);
    level += W * hours * (W > 0 ? battery.charge_efficiency : 1 / battery.discharge_efficiency);
    powers[W > 0 ? 'charge' : 'discharge'][hourOf(home, now)]! += Math.abs(W) * hours;
    const grid_W = net_W + W;
    const quarter = Math.floor((now - series.startMs) / quarterMs);
    measured[grid_W > 0 ? 'import' : 'export'][quarter]! += Math.abs(grid_W) * hours;
  }
  return { solarUsed: Float64Array.from(problem.solar_w), storages: [powers] };
}

/**
 * Carries out plans for a month of each house, then of each house with a sauna. Counts the months that save too little of what a
 * replay saves, which decides every hour with the knowledge of that time.
 */
export async function carryOutMonths(count: number, options: CarryOutOptions = {}): Promise<Outcome> {
  const notes: string[] = [];
  let failed = 0;
  for (let month = 0; month < count; month++) {
    const seed = 1 + (month % houses);
    const hasSauna = month >= houses;
    const home = plannedHome(seed, { hasSauna });
    const { problem } = home;
    const own = costOf(problem, selfConsumption(problem)).total;
    const decided = costOf(problem, replay(home.replayCase, home.series).schedule).total;
    const realised = costOf(problem, await carryOut(home, options)).total;
    const share = (own - realised) / (own - decided);
    const figures = `self-consumption ${own.toFixed(0)}, carried out ${realised.toFixed(0)}, replay ${decided.toFixed(0)}`;
    const isEnough = share >= leastShare[hasSauna ? 'sauna' : 'quiet'];
    if (!isEnough) failed++;
    notes.push(
      `house ${seed}${hasSauna ? ' with a sauna' : ''}: ${figures}, ${(share * 100).toFixed(0)} % of the saving`,
    );
  }
  return { tried: count, failed, notes };
}
