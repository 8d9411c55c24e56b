import { withOneGridMeter } from '#contract/balance.ts';
import { type AlertRules, defaultAlertRules } from '#contract/cloud/alerts.ts';
import { minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import * as store from '../store/alerts.ts';
import type { Db } from '../store/engine.ts';

export type Site = Omit<store.WatchedSite, 'rules'> & {
  timeZone: string;
  rules: AlertRules;
  /** number of the DER that measures the grid connection */
  gridMeter: number | undefined;
  batteries: readonly { no: number; name: string }[];
};

const sitesAtOnce = 1000;
const reloadMs = minuteMs; // after which changes of other processes apply

/** Adds the changed rules of a site to the usual ones. */
export const rulesOf = (changed: string): AlertRules => ({ ...defaultAlertRules, ...JSON.parse(changed) });

/** Keeps the sites whose rules are checked, with their rules and what they measure. */
export function createWatchedSites(clock: Clock) {
  let sites: Site[] = [];
  let loadedAt = Number.NEGATIVE_INFINITY;
  return {
    async list(db: Db): Promise<readonly Site[]> {
      if (Math.abs(clock.now() - loadedAt) >= reloadMs) {
        sites = await Array.fromAsync(readSites(db));
        loadedAt = clock.now();
      }
      return sites;
    },
    /** Reads them again at the next call. */
    forget(): void {
      loadedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

async function* readSites(db: Db): AsyncGenerator<Site> {
  for (let after = ''; ; ) {
    const rows = await store.listWatchedSites(db, after, sitesAtOnce);
    const [first, last] = [rows.at(0), rows.at(-1)];
    if (!first || !last) return;
    const ders = Map.groupBy(await store.listWatchedDers(db, first.id, last.id), ({ site_id }) => site_id);
    for (const row of rows) yield siteOf(row, ders.get(row.id) ?? []);
    after = last.id;
  }
}

function siteOf({ rules, ...site }: store.WatchedSite, ders: readonly store.WatchedDer[]): Site {
  const meters = ders.filter(({ der_type, device_type }) => der_type === 'meter' && device_type !== 'meter');
  const [grid] = withOneGridMeter(
    meters.map(({ no, device_type: deviceType }) => ({ no, deviceType, kind: 'meter' as const })),
  );
  const batteries = ders.flatMap(({ der_type, no, name }) => (der_type === 'battery' ? [{ no, name }] : []));
  return { ...site, timeZone: site.timezone ?? 'UTC', rules: rulesOf(rules), gridMeter: grid?.no, batteries };
}
