import { planSentences } from '#contract/plan-sentences.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs, hourMs, isCurrentAt, minuteMs } from '#contract/time.ts';
import { addDays, dateAt, wallAt } from '#contract/time-zone.ts';
import { createSchedule } from '#lib/every.ts';
import { newId } from '#lib/id.ts';
import { RecentMap } from '#lib/recent-map.ts';
import { inEnglish } from '#plan/english.ts';
import { areaOf, marginalPriceOf } from '../bill/bill-calculator.ts';
import type { PlanSiteRow } from '../store/plan-rows.ts';
import type { PlanDer } from '../store/plans.ts';
import * as queries from '../store/plans.ts';
import { type GatewayPlans, gatewayPlansOf } from './gateway-plans.ts';
import { readGoals } from './goals.ts';
import { maxHistoryDays } from './history.ts';
import { type MadePlan, makePlan, missingWords, type PlanDeps, readKnowledge } from './make-plan.ts';
import { planBody } from './plan-body.ts';
import { settleDay } from './settle-day.ts';
import { silentStorages } from './storages.ts';
import { type PlanBody, pack } from './stored-plan.ts';

const plannerVersion = 1;
const checkMs = 2000;
const claimMs = 2 * minuteMs; // another process takes over after it
const firstRetryMs = minuteMs;
const waitMs = 5000; // between looks for the first values of storages
const maxWaits = 12;
const youngMs = 5 * minuteMs; // after which a site without history, or without values of a storage, is planned again
const allKeptMs = 2 * dayMs;
const promiseWithinMs = 90 * minuteMs; // of the start of a day: a later plan promises only a part of it
const carsMs = 15_000;
const pricesMs = minuteMs;
const perSiteMs = 500; // over which the sites of an area are spread when its prices are published
const maxSpreadMs = hourMs / 2;
const maxAreas = 200;
const maxPositions = 100_000;
const sitesAtOnce = 1000; // in a transaction, so that others do not wait for all
const settledDays = 7; // back from yesterday, for readings that arrive after a stop of gateway or platform

/** Plans the sites that are due, one after the other, in one process of the platform each. */
export function createPlanning(deps: PlanDeps & { gateways: GatewayPlans }) {
  const { store, latest, calculator, gateways, clock, log } = deps;
  const pricesUntil = new RecentMap<string>(maxAreas); // by area, the end of the published prices
  const areas = new RecentMap<string | null>(maxPositions); // by position; null outside all areas
  const stopping = new AbortController();
  let running = Promise.resolve();

  /** Plans what is due; a call waits for the one before. */
  function planDue(): Promise<void> {
    running = running.catch(() => {}).then(planEach);
    return running;
  }

  async function planEach(): Promise<void> {
    while (!stopping.signal.aborted && (await queries.hasDueSite(store.db, clock.now()))) {
      const now = clock.now();
      const row = await store.write(({ db }) => queries.claimDueSite(db, now, now + claimMs));
      if (!row) return;
      await planSite(row, now);
    }
  }

  async function planSite(row: PlanSiteRow, now: number): Promise<void> {
    const goals = await readGoals(store.db, row.site_id);
    const { mode, paused_until } = goals;
    const paused = paused_until === null ? 0 : Date.parse(paused_until);
    if (mode === 'off' || paused > now) {
      const outcome = { failures: 0, status: 'waiting' as const, message: null, seen: row.seen };
      await store.write(async (write) => {
        await gateways.update(write, row.site_id, []);
        const [is_on, next] = mode === 'off' ? [0, now] : [1, paused];
        await queries.finishSite(write.db, row, { ...outcome, is_on, next });
      });
      return;
    }
    try {
      const known = await readKnowledge(deps, goals, now);
      const silent = silentStorages(known);
      if (silent.length > 0 && row.status === 'waiting' && row.failures < maxWaits) return await wait(row, silent, now);
      const made = await makePlan(known, { ...deps, signal: stopping.signal });
      await save(row, made, now);
      await settle(made, now);
    } catch (error) {
      if (stopping.signal.aborted) return; // the site is planned by the next process, when the claim has ended
      await fail(row, error, now);
    }
  }

  async function save(row: PlanSiteRow, made: MadePlan, now: number): Promise<void> {
    const { known, found, answer } = made;
    const { goals, timeZone, prices } = known;
    const id = newId('pln', now);
    const { currency, is_simulated: isSimulated } = prices;
    const body = planBody(found, answer, { id, madeAt: now, because: row.because, currency, isSimulated });
    const day = dateAt(timeZone, now);
    const plans = goals.mode === 'control' ? gatewayPlansOf(id, made) : [];
    await store.write(async (write) => {
      const { db } = write;
      if ((await queries.findPlanSite(db, row.site_id))?.goals !== row.goals) {
        await queries.finishSite(db, row, { ...row, next: row.due_at }); // a person changed them meanwhile, so it is due again
        return;
      }
      const before = await queries.findPlanDay(db, row.site_id, day);
      const isFirst = before === undefined;
      await queries.insertPlan(db, {
        id,
        site_id: row.site_id,
        made_at: now,
        day,
        kept_until: now + (isFirst ? maxHistoryDays * dayMs : allKeptMs),
        version: plannerVersion,
        inputs: pack(found.problem),
        result: pack(body),
      });
      const promised =
        isFirst && !found.isYoung && wallAt(timeZone, now) % dayMs < promiseWithinMs
          ? costOfDay(body, timeZone, day)
          : null;
      await queries.savePlanDay(db, {
        ...(before ?? { ...newDay, site_id: row.site_id, day, promised }),
        plans: (before?.plans ?? 0) + 1,
      });
      await gateways.update(write, row.site_id, plans);
      const message = found.missing.length > 0 ? missingWords(found) : null;
      const isSoon = found.isYoung || silentStorages(known).length > 0;
      const next = now + (isSoon ? youngMs : hourMs);
      const seen = carsOf(made);
      await queries.finishSite(db, row, { failures: 0, status: 'current', message, seen, next, is_on: 1 });
    });
  }

  /** Waits a little for the first values of storages: without them, a plan would leave them out for an hour. */
  async function wait(row: PlanSiteRow, silent: readonly PlanDer[], now: number): Promise<void> {
    const name = [...new Set(silent.map(({ device }) => device))].join(', ');
    const message = inEnglish({ key: 'values_awaited', name }, { timeZone: 'UTC' });
    const { seen, because } = row;
    const outcome = { failures: row.failures + 1, status: 'waiting' as const, message, seen };
    await store.write(({ db }) => queries.finishSite(db, row, { ...outcome, next: now + waitMs, because, is_on: 1 }));
  }

  /** Compares days that are over with what was planned for them, each once. A failure does not concern the plan. */
  async function settle(made: MadePlan, now: number): Promise<void> {
    const { timeZone, goals } = made.known;
    const today = dateAt(timeZone, now);
    const days = await queries.listPlanDays(store.db, goals.site_id, addDays(today, -settledDays), addDays(today, -1));
    for (const row of days.filter(({ realised }) => realised === null)) {
      await settleDay(deps, made, row).catch((err: unknown) =>
        log.warn({ err, site_id: goals.site_id, day: row.day }, 'a day was not compared with its plan'),
      );
    }
  }

  async function fail(row: PlanSiteRow, error: unknown, now: number): Promise<void> {
    const isMissing = error instanceof Problem && (error.code === 'conflict' || error.code === 'unprocessable');
    const failures = row.failures + 1;
    const retryMs = isMissing ? hourMs / 6 : Math.min(hourMs, firstRetryMs * 2 ** Math.min(10, row.failures));
    if (!(error instanceof Problem)) log.warn({ err: error, site_id: row.site_id }, 'planning a site failed');
    const message = error instanceof Problem ? error.message : planSentences.planning_failed;
    const status = isMissing ? 'waiting' : 'failed';
    await store.write(({ db }) =>
      queries.finishSite(db, row, { failures, status, message, seen: row.seen, next: now + retryMs, is_on: 1 }),
    );
  }

  /** Plans again where a car was connected or disconnected. */
  async function checkCars(): Promise<void> {
    const now = clock.now();
    for (let after = ''; ; ) {
      const rows = await queries.listCarSites(store.db, after);
      const seen = rows.map((row) => ({ ...row, cars: JSON.parse(row.seen ?? '{}') as Record<string, boolean> }));
      const readings = await latest.get(seen.flatMap(({ cars }) => Object.keys(cars).map(Number)));
      for (const { site_id, cars } of seen) {
        const hasChanged = Object.entries(cars).some(([no, was]) => {
          const reading = readings.get(Number(no));
          return reading && isCurrentAt(reading.at, now) && isConnected(reading.values) !== was;
        });
        if (hasChanged) await store.write(({ db }) => queries.setDue(db, site_id, now, 'A car was connected or left.'));
      }
      const last = rows.at(-1);
      if (!last || stopping.signal.aborted) return;
      after = last.site_id;
    }
  }

  /** Plans the sites of an area again when its prices were published, over some time if there are many. */
  async function checkPrices(): Promise<void> {
    const now = clock.now();
    const located = await sitesByPosition();
    const counts = new Map(Array.from(located, ([area, ids]) => [area, ids.length]));
    for (const { area, sites } of await queries.listPlannedAreas(store.db))
      counts.set(area, sites + (counts.get(area) ?? 0));
    for (const [area, sites] of [...counts].slice(0, maxAreas)) {
      const from = Math.floor(now / hourMs) * hourMs;
      const found = await marginalPriceOf(calculator, { area, from, to: from + 2 * dayMs }).catch(nothing); // the sites say why
      const until = found?.spot.at(-1)?.end;
      const before = pricesUntil.get(area);
      if (until === undefined || until === before) continue;
      pricesUntil.set(area, until);
      if (before === undefined || until < before) continue;
      const spreadMs = Math.min(maxSpreadMs, sites * perSiteMs);
      await spreadOver(located.get(area) ?? [], now, spreadMs);
      for (let after: string | undefined = ''; after !== undefined && !stopping.signal.aborted; ) {
        const ids: string[] = (await queries.listSitesInArea(store.db, area, after)).map(({ site_id }) => site_id);
        await spreadOver(ids, now, spreadMs);
        after = ids.at(-1);
      }
    }
  }

  /** Lists, by area, the sites that have a position instead of a price area. */
  async function sitesByPosition(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (let after: string | undefined = ''; after !== undefined && !stopping.signal.aborted; ) {
      const rows = await queries.listSitesWithoutArea(store.db, after);
      for (const { site_id, latitude, longitude } of rows) {
        const position = `${latitude} ${longitude}`;
        if (!areas.has(position)) {
          const area = await areaOf(calculator, latitude, longitude).then((known) => known ?? null, nothing);
          if (area === undefined) return found; // the price service does not answer
          areas.set(position, area);
        }
        const area = areas.get(position);
        if (!area) continue;
        const ids = found.get(area);
        if (ids) ids.push(site_id);
        else found.set(area, [site_id]);
      }
      after = rows.at(-1)?.site_id;
    }
    return found;
  }

  async function spreadOver(ids: readonly string[], now: number, spreadMs: number): Promise<void> {
    for (let first = 0; first < ids.length && !stopping.signal.aborted; first += sitesAtOnce)
      await store.write(async ({ db }) => {
        for (const id of ids.slice(first, first + sitesAtOnce))
          await queries.setDue(db, id, now + Math.floor(Math.random() * spreadMs), 'New prices were published.');
      });
  }

  async function clean(): Promise<void> {
    const now = clock.now();
    while ((await store.write(({ db }) => queries.deleteOldPlans(db, now, 500))) > 0);
    const before = addDays(dateAt('UTC', now), -(maxHistoryDays + 1));
    await store.write(({ db }) => queries.deleteOldPlanDays(db, before));
  }

  const schedule = createSchedule(
    log,
    [checkMs, planDue, 'planning sites'],
    [carsMs, checkCars, 'looking for cars that were connected'],
    [pricesMs, checkPrices, 'looking for new prices'],
    [carsMs, gateways.withdrawLeft, 'withdrawing plans of deleted sites'],
    [hourMs, clean, 'deleting old plans'],
  );
  return {
    planDue,
    checkCars,
    checkPrices,
    clean,
    start: schedule.start,
    async stop(): Promise<void> {
      stopping.abort();
      schedule.stop();
      await running.catch(() => {});
    },
  };
}

const newDay = {
  promised: null,
  realised: null,
  self_consumption: null,
  load_error_w: null,
  solar_error_w: null,
  price_error: null,
  power_promised: null,
  power_realised: null,
  power_self_consumption: null,
};

/** Returns undefined for a Problem of the price service. */
function nothing(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}

/** Returns whether a reading of a charger is that of a connected car. */
const isConnected = ({ vehicle_soc_fract: soc, session_charge_Wh: session }: Record<string, unknown>): boolean =>
  typeof soc === 'number' || (typeof session === 'number' && session > 0);

/** Returns which cars were connected, as JSON; null without cars. */
function carsOf({ known, found }: MadePlan): string | null {
  const cars = found.storages.filter(({ storage }) => storage.kind === 'car');
  if (cars.length === 0) return null;
  return JSON.stringify(
    Object.fromEntries(cars.map(({ der }) => [der.no, isConnected(known.readings.get(der.no)?.values ?? {})])),
  );
}

/** Returns the cost of the energy of a local day. */
function costOfDay({ steps }: PlanBody, timeZone: string, day: string): number {
  let cost = 0;
  for (const { start, end, grid_w, import_price, export_price } of steps) {
    if (dateAt(timeZone, Date.parse(start)) !== day) continue;
    const hours = (Date.parse(end) - Date.parse(start)) / hourMs;
    cost += (grid_w / 1000) * hours * (grid_w > 0 ? import_price : export_price);
  }
  return Math.round(cost * 100) / 100;
}
