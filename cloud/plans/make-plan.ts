import { quarterMs } from '#contract/cloud/energy.ts';
import type { PlanGoals } from '#contract/cloud/plans.ts';
import type { PlanAnswer } from '#contract/plan.ts';
import { planSentences } from '#contract/plan-sentences.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs } from '#contract/time.ts';
import { inEnglish } from '#plan/english.ts';
import type { History } from '#plan/forecast/history.ts';
import { plan } from '#plan/planner.ts';
import { type BillCalculator, marginalPriceOf } from '../bill/bill-calculator.ts';
import { readContract } from '../bill/contract.ts';
import { termsOf } from '../bill/site-bill.ts';
import type { Ledger } from '../energy/ledger.ts';
import { listPlanDers, type PlanDer } from '../store/plans.ts';
import { getSite } from '../store/sites.ts';
import type { CommonDeps } from '../store/store.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { Latest } from '../telemetry/live.ts';
import type { Weather } from '../weather/weather.ts';
import { edgesFrom, monthStartOf, type SiteKnowledge, type SiteProblem, siteProblem } from './site-problem.ts';

export type PlanDeps = CommonDeps & {
  latest: Pick<Latest, 'get'>;
  ledger: Pick<Ledger, 'readQuarters'>;
  telemetry: Pick<TelemetryStore, 'buckets'>;
  calculator: BillCalculator;
  /** undefined when no source is configured */
  weather?: Pick<Weather, 'at'> | undefined;
};

export type MadePlan = { known: SiteKnowledge; found: SiteProblem; answer: PlanAnswer };

const learnedDays = 43;
const connectedDays = 28; // to learn when cars are connected
const chargingW = 50; // of a charger that reports nothing else about its car
const pricedDays = 21; // at least, to learn the shape of prices from; power charges need the month so far
const timeLimitMs = 8000;

/** Reads the state and history of a site. Throws a Problem if something is missing for a plan. */
export async function readKnowledge(deps: PlanDeps, goals: PlanGoals, now: number): Promise<SiteKnowledge> {
  const { latest, ledger, calculator } = deps;
  const { db } = deps.store;
  const site = await getSite(db, goals.site_id);
  const timeZone = site.timezone ?? 'UTC';
  const contract = await readContract(db, site.id);
  const terms = termsOf({ site, timeZone, contract });
  const ders = await listPlanDers(db, site.id);
  if (!ders.some(({ type }) => type === 'meter')) throw new Problem('conflict', planSentences.meter_missing);
  const edges = edgesFrom(now, timeZone);
  const start = edges[0]!;
  const prices = await marginalPriceOf(calculator, {
    ...terms,
    from: Math.min(start - pricedDays * dayMs, monthStartOf(start, timeZone)),
    to: edges.at(-1)!,
  });
  return {
    now,
    timeZone,
    site,
    goals,
    fuse_a:
      contract.periods.findLast(({ valid_from }) => Date.parse(valid_from) <= now)?.fuse_a ?? site.fuse_a ?? undefined,
    prices,
    quarters: await ledger.readQuarters(site.id, start - learnedDays * dayMs, start),
    ders,
    weather: await deps.weather?.at(site),
    readings: await latest.get(ders.map(({ no }) => no)),
    connected: await readConnected(deps, ders, goals, now),
  };
}

/** Reads, for each car with a departure, in which quarters of an hour it was connected. */
async function readConnected(
  { telemetry }: Pick<PlanDeps, 'telemetry'>,
  ders: readonly PlanDer[],
  { cars }: PlanGoals,
  now: number,
): Promise<Record<string, History>> {
  const count = (connectedDays * dayMs) / quarterMs;
  const startMs = Math.floor(now / quarterMs) * quarterMs - count * quarterMs;
  const edges = Array.from({ length: count + 1 }, (_, n) => startMs + n * quarterMs);
  const found: Record<string, History> = {};
  for (const { id, no, type } of ders) {
    if (type !== 'ev_charger_port' || !cars.some(({ der_id }) => der_id === id)) continue;
    const { at, fields } = await telemetry.buckets(no, edges, ['W', 'vehicle_soc_fract', 'session_charge_Wh']);
    const values = new Float64Array(count).fill(Number.NaN);
    for (const [row, start] of at.entries()) {
      const highest = (name: string): number => fields.get(`max ${name}`)?.[row] ?? Number.NEGATIVE_INFINITY;
      const isConnected =
        highest('vehicle_soc_fract') >= 0 || highest('session_charge_Wh') > 0 || highest('W') > chargingW;
      values[(start - startMs) / quarterMs] = isConnected ? 1 : 0;
    }
    found[id] = { startMs, stepMs: quarterMs, values };
  }
  return found;
}

/** Says what keeps storages from being planned, a line for each. */
export const missingWords = ({ missing, timeZone }: Pick<SiteProblem, 'missing' | 'timeZone'>): string =>
  missing.map((saying) => inEnglish(saying, { timeZone })).join('\n');

/** Plans a site once. Throws a Problem if nothing can be planned. */
export async function makePlan(
  known: SiteKnowledge,
  { log, signal }: Pick<PlanDeps, 'log'> & { signal?: AbortSignal },
): Promise<MadePlan> {
  const found = siteProblem(known);
  if (found.storages.length === 0 && found.missing.length > 0) throw new Problem('conflict', missingWords(found));
  const answer = await plan(found.problem, {
    timeLimitMs,
    signal,
    onFailure: (err) => log.warn({ err, site_id: known.goals.site_id }, 'solver failed, a coarser plan was made'),
  });
  return { known, found, answer };
}
