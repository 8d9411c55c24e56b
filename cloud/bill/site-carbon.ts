import { minCarbonCoveredPct, type SiteCarbon } from '#contract/cloud/carbon.ts';
import { quarterMs } from '#contract/cloud/energy.ts';
import { type CarbonIntensity, carbonOfImports } from '#contract/price/carbon.ts';
import { dayMs, formatTime, hourMs } from '#contract/time.ts';
import type { SiteQuarters } from '../energy/report.ts';
import type { SiteRow } from '../store/schema.ts';
import { areaOf, carbonOf } from './bill-calculator.ts';
import type { BillRange } from './bill-range.ts';
import { sumOf } from './quarters.ts';
import type { Household } from './site-bill.ts';

const maxRequestMs = 366 * dayMs; // of the price service
const maxDelayMs = dayMs; // after which an hour without an intensity counts as unknown

/** Returns the carbon dioxide of the energy that a site imported. */
export async function siteCarbon(home: Household, { from, until }: BillRange): Promise<SiteCarbon> {
  const intensities = await readIntensities(home, from, until);
  const hours = intensities.flatMap(({ intervals }) => intervals);
  const known = Date.parse(hours.at(-1)?.end ?? '');
  const to = known > until - maxDelayMs ? Math.min(known, until) : until;
  const imports = hourlyImports(await home.quarters(from, to));
  const { carbon_g, covered_pct } = carbonOfImports(imports, hours);
  const provider = intensities[0]?.metadata.provider ?? null;
  const isKnown = provider !== null && (covered_pct ?? 100) >= minCarbonCoveredPct;
  return {
    site_id: home.site.id,
    timezone: home.timeZone,
    from: formatTime(from),
    to: formatTime(to),
    import_wh: imports.reduce((sum, { import_wh }) => sum + import_wh, 0),
    carbon_g: isKnown ? carbon_g : null,
    covered_pct: covered_pct === null ? null : Math.floor(covered_pct * 10) / 10,
    provider,
  };
}

/** Reads the intensities of a range in as many requests as needed; none when no source is configured for the site. */
async function readIntensities(
  { site, calculator }: Household,
  from: number,
  until: number,
): Promise<CarbonIntensity[]> {
  const area = await priceAreaOf(site, calculator);
  const found: CarbonIntensity[] = [];
  if (area === undefined) return found;
  for (let start = from; start < until; start += maxRequestMs) {
    const range = { from: formatTime(start), to: formatTime(Math.min(until, start + maxRequestMs)) };
    const part = await carbonOf(calculator, { area, ...range });
    if (part) found.push(part);
  }
  return found;
}

function priceAreaOf(
  { price_area, latitude, longitude }: SiteRow,
  calculator: Household['calculator'],
): Promise<string | undefined> | string | undefined {
  if (price_area !== null || latitude === null || longitude === null) return price_area ?? undefined;
  return areaOf(calculator, latitude, longitude);
}

/** Adds up the imports of each UTC hour, as carbon intensities are published. */
function hourlyImports(quarters: SiteQuarters): { start: string; end: string; import_wh: number }[] {
  const hours: { start: string; end: string; import_wh: number }[] = [];
  for (let start = quarters.from; start < quarters.to; ) {
    const end = Math.min(quarters.to, Math.floor(start / hourMs + 1) * hourMs);
    const [first, last] = [(start - quarters.from) / quarterMs, (end - quarters.from) / quarterMs];
    const import_wh = sumOf(quarters.series.import.subarray(first, last));
    hours.push({ start: formatTime(start), end: formatTime(end), import_wh });
    start = end;
  }
  return hours;
}
