import { signal } from '@preact/signals';
import type { SiteReading } from '#contract/client/site-stream.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { timeNow } from '../parts/now.ts';
import { readStored, store } from '../parts/storage.ts';

// The values that pages show without the platform. They stay in this browser until the person signs out.

type LastValues = { site: Pick<SiteDetails, 'id' | 'name' | 'devices'>; readings: SiteReading[]; atMs: number };

const everyMs = 5000;
const longest = 200_000; // characters; a browser stores about five million for a platform

const readLast = (): LastValues | undefined => {
  try {
    return JSON.parse(readStored('last-values') ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
};

/** The last values of the site that was open. */
export const lastValues = signal(readLast());

let site: LastValues['site'] | undefined;

/** Notes the site whose values may follow. */
export function noteSite({ id, name, devices }: SiteDetails): void {
  site = { id, name, devices };
}

/** Stores the latest readings of a site, at most every few seconds. */
export function noteReadings(siteId: string, readings: ReadonlyMap<string, SiteReading>): void {
  const last = lastValues.peek();
  const isRecent =
    last?.site.id === siteId && timeNow() - last.atMs < everyMs && last.readings.length === readings.size;
  if (site?.id !== siteId || readings.size === 0 || isRecent) return;
  const values = [...readings.values()];
  const kept: LastValues = { site, readings: values, atMs: Math.max(...values.map(({ timestamp }) => timestamp)) };
  const text = JSON.stringify(kept);
  if (text.length > longest) return;
  lastValues.value = kept;
  store('last-values', text);
}

export function forgetLastValues(): void {
  site = undefined;
  lastValues.value = undefined;
  store('last-values', undefined);
}
