import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { AlertRule } from '#contract/cloud/alerts.ts';
import { alertDays } from '#contract/cloud/alerts.ts';
import { dayMs, hourMs, isCurrentAt, minuteMs } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { createSchedule } from '#lib/every.ts';
import type { BillCalculator } from '../bill/bill-calculator.ts';
import type { Ledger } from '../energy/ledger.ts';
import { readSums } from '../energy/report.ts';
import * as store from '../store/alerts.ts';
import type { AlertRow } from '../store/schema.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import type { CommonDeps } from '../store/store.ts';
import type { Latest } from '../telemetry/live.ts';
import {
  type Found,
  lowBatteries,
  nearFuse,
  numberIn,
  outdatedGateways,
  type Reading,
  silentDevices,
  silentGateways,
} from './conditions.ts';
import { createPeakRule, isHourOver } from './new-peak.ts';
import { createSitePrices, negativeTomorrow, priceBeyond } from './prices.ts';
import { end, type Finding, raise, tellsOf } from './raise.ts';
import { lowSolar, solarEdges } from './solar.ts';
import { createWatchedSites, type Site } from './watched-sites.ts';

export const sweepMs = 30_000;
const leaseMs = 2 * minuteMs; // another process takes over after it
const leaseSetting = 'alerts_lease';
const sitesAtOnce = 200; // between two turns of the event loop
const solarPerSweep = 100;
const solarAfterMs = 3 * hourMs; // of the local day: readings that were late have arrived
const cleanMs = hourMs;

type Deps = CommonDeps & {
  latest: Pick<Latest, 'get'>;
  ledger: Pick<Ledger, 'unwritten' | 'readQuarters'>;
  calculator: BillCalculator;
  /** of the platform */
  version: string;
};

/** State of a sweep over all sites. */
type Sweep = { now: number; open: ReadonlyMap<string, AlertRow>; readings: ReadonlyMap<number, Reading> };

const keyOf = (siteId: string, rule: AlertRule): string => `${siteId} ${rule}`;

/** Checks the rules of all watched sites twice a minute, in one process of the platform. */
export function createWatch({ store: database, latest, ledger, calculator, version, clock, log }: Deps) {
  const { db } = database;
  const self = randomUUID();
  const sites = createWatchedSites(clock);
  const prices = createSitePrices(calculator);
  const peaks = createPeakRule({
    db,
    calculator,
    quarters: (siteId, from, to) => ledger.readQuarters(siteId, from, to),
  });
  const mutedUntil = new Map<string, number>(); // by site and rule
  const solarDays = new Map<string, string>(); // by site, the last day that was compared
  let silentSince = new Map<string, number>(); // devices whose gateway is connected
  let overloadedSince = new Map<string, number>(); // sites, since the last sweep
  let startedAt = clock.now();

  /** Returns whether this process checks the rules now. */
  const hasLease = (now: number): Promise<boolean> =>
    database.write(async (write) => {
      const [holder, until] = (await readSetting(write.db, leaseSetting))?.split(' ') ?? [];
      if (holder !== self && Number(until) > now && Number(until) <= now + leaseMs) return false;
      await writeSetting(write.db, leaseSetting, `${self} ${now + leaseMs}`);
      return true;
    });

  async function sweep(): Promise<void> {
    const now = clock.now();
    const watched = await sites.list(db);
    if (watched.length === 0 || !(await hasLease(now))) return;
    peaks.beginSweep();
    const open = new Map((await store.listOpenAlerts(db)).map((alert) => [keyOf(alert.site_id, alert.rule), alert]));
    const silent = Map.groupBy(await store.listSilentDevices(db), ({ site_id }) => site_id);
    noteSilent([...silent.values()].flat(), now);
    const others = Map.groupBy(await store.listOtherVersions(db, version), ({ site_id }) => site_id);
    const overloaded = new Map<string, number>();
    let solarLeft = solarPerSweep;
    const faults: unknown[] = []; // a site that was deleted meanwhile, for example: the others are checked all the same
    for (let first = 0; first < watched.length; first += sitesAtOnce) {
      await setImmediate();
      const some = watched.slice(first, first + sitesAtOnce);
      const state: Sweep = { now, open, readings: await latest.get(some.flatMap(readFor)) };
      for (const site of some) {
        try {
          await checkDevices(site, silent.get(site.id) ?? [], state);
          await checkPower(site, state, overloaded);
          await checkPrices(site, state);
          if (solarLeft > 0 && (await checkSolar(site, state))) solarLeft--;
          await settle(site, 'command_failed', undefined, state);
          await settle(site, 'update_available', outdatedGateways(others.get(site.id) ?? [], version), state);
        } catch (error) {
          faults.push(error);
        }
      }
    }
    overloadedSince = overloaded;
    for (const [key, until] of mutedUntil) if (until <= now) mutedUntil.delete(key);
    if (faults.length > 0) throw faults[0];
  }

  async function checkDevices(site: Site, devices: readonly store.SilentDevice[], state: Sweep): Promise<void> {
    const { rules } = site;
    const { now } = state;
    const gateways = silentGateways(devices, rules.gateway_silent, { now, startedAt });
    await settle(site, 'gateway_silent', gateways, state);
    await settle(site, 'device_silent', silentDevices(devices, rules.device_silent, silentSince, now), state);
  }

  function noteSilent(devices: readonly store.SilentDevice[], now: number): void {
    const since = new Map<string, number>();
    for (const { id, gateway_online } of devices)
      if (gateway_online === 1) since.set(id, Math.min(silentSince.get(id) ?? now, now));
    silentSince = since;
  }

  const isOpen = (site: Site, rule: AlertRule, { open }: Sweep): boolean => open.has(keyOf(site.id, rule));

  async function checkPower(site: Site, state: Sweep, overloaded: Map<string, number>): Promise<void> {
    const { now, readings } = state;
    const { rules, gridMeter } = site;
    const grid = gridMeter === undefined ? undefined : readings.get(gridMeter);
    if (rules.near_fuse.enabled) {
      const found = nearFuse(site, grid, { now, isOpen: isOpen(site, 'near_fuse', state) });
      if (found) overloaded.set(site.id, overloadedSince.get(site.id) ?? now);
      const isBrief = found && now - overloaded.get(site.id)! < sweepMs; // once is not enough
      await settle(site, 'near_fuse', isBrief ? undefined : found, state);
    } else await settle(site, 'near_fuse', null, state);

    const peak = state.open.get(keyOf(site.id, 'new_peak'));
    if (!rules.new_peak.enabled || (peak && isHourOver(peak.subjects, now)))
      await settle(site, 'new_peak', null, state);
    else if (!peak && !isMuted(site, 'new_peak', now)) {
      const watts = grid && isCurrentAt(grid.at, now) ? numberIn(grid.values, 'W') : undefined;
      await settle(site, 'new_peak', await peaks.find(site, watts, now), state);
    }

    const low = rules.battery_below.enabled
      ? lowBatteries(site, (no) => readings.get(no), { now, isOpen: isOpen(site, 'battery_below', state) })
      : null;
    await settle(site, 'battery_below', low, state);
  }

  async function checkPrices(site: Site, state: Sweep): Promise<void> {
    const { now } = state;
    const { price_below, price_above, negative_price } = site.rules;
    const isAsked = price_below.enabled || price_above.enabled || negative_price.enabled;
    if (!isAsked && !isOpen(site, 'price_below', state) && !isOpen(site, 'price_above', state)) return;
    const known = isAsked ? await prices.of(site, now) : undefined;
    await settle(site, 'price_below', priceBeyond('price_below', price_below, known, now), state);
    await settle(site, 'price_above', priceBeyond('price_above', price_above, known, now), state);
    const negative = negative_price.enabled ? negativeTomorrow(known, site.timeZone, now) : undefined;
    if (negative) await settle(site, 'negative_price', negative, state, { isEvent: true });
  }

  /** Compares once a day. Returns whether it did. */
  async function checkSolar(site: Site, state: Sweep): Promise<boolean> {
    if (!site.rules.solar_low.enabled) {
      await settle(site, 'solar_low', null, state);
      return false;
    }
    const { now } = state;
    const date = dateAt(site.timeZone, now - solarAfterMs);
    if (solarDays.get(site.id) === date) return false;
    solarDays.set(site.id, date);
    const edges = solarEdges(site.timeZone, now - solarAfterMs);
    const portions = await Array.fromAsync(readSums(db, site.id, edges, await ledger.unwritten(site.id)));
    const days = portions.flat().map(({ solar, covered_s }) => ({ wh: solar, coveredS: covered_s }));
    await settle(site, 'solar_low', lowSolar(days, site.rules.solar_low), state);
    return true;
  }

  const isMuted = (site: Site, rule: AlertRule, now: number): boolean => {
    const until = mutedUntil.get(keyOf(site.id, rule));
    return until !== undefined && until > now;
  };

  /** Opens or ends the alert of a rule if what it found has changed. */
  async function settle<Rule extends AlertRule>(
    site: Site,
    rule: Rule,
    found: Found<Rule>,
    { now, open }: Sweep,
    options: { isEvent?: boolean } = {},
  ): Promise<void> {
    const known = open.get(keyOf(site.id, rule));
    if (!site.rules[rule].enabled) {
      if (known) await finish(known, now, false);
      return;
    }
    if (found === null && known) await finish(known, now, true);
    if (!found || (known && tellsOf(known, found.subjects)) || isMuted(site, rule, now)) return;
    await announce(site, rule, found, now, options);
  }

  async function announce<Rule extends AlertRule>(
    site: Site,
    rule: Rule,
    found: Finding<Rule>,
    now: number,
    options: { isEvent?: boolean },
  ): Promise<void> {
    const { alert, mutedUntil: until } = await database.write((write) =>
      raise(write.db, site.id, rule, found, now, options),
    );
    if (!alert) {
      mutedUntil.set(keyOf(site.id, rule), until ?? now + hourMs);
      return;
    }
    log.info({ site_id: site.id, rule }, 'alert raised');
  }

  async function finish(alert: AlertRow, now: number, tells: boolean): Promise<void> {
    await database.write((write) => end(write.db, alert, now, { tells }));
  }

  async function clean(): Promise<void> {
    const before = clock.now() - alertDays * dayMs;
    while ((await database.write((write) => store.deleteOldAlerts(write.db, before, 1000))) > 0);
  }

  const schedule = createSchedule(
    log,
    [sweepMs, sweep, 'checking alert rules'],
    [cleanMs, clean, 'deleting old alerts'],
  );
  return {
    sweep,
    clean,
    /** Reads rules and sites again. */
    forget: sites.forget,
    start(): void {
      startedAt = clock.now();
      schedule.start();
    },
    stop: schedule.stop,
  };
}

/** Returns the DERs whose readings the rules of a site look at. */
function readFor({ rules, gridMeter, batteries }: Site): number[] {
  const isMetered = rules.near_fuse.enabled || rules.new_peak.enabled;
  return [
    ...(isMetered && gridMeter !== undefined ? [gridMeter] : []),
    ...(rules.battery_below.enabled ? batteries.map(({ no }) => no) : []),
  ];
}
