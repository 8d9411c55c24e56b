import { type CarbonIntensity, getCarbonIntensity } from '#contract/price/carbon.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { dayMs, formatTime, hourMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Mount } from '#lib/http/mount.ts';
import { findArea, nameAsAsked } from '../electricity/areas.ts';
import { marketDateAt, marketDay } from '../electricity/market-day.ts';
import { resolveInstant } from '../total/terms.ts';
import type { OpenCarbon } from './open-carbon.ts';

const maxRangeMs = 366 * dayMs;

type CarbonDeps = { carbon: OpenCarbon | undefined; clock: Clock };
type CarbonRequest = { area: string; from?: string | undefined; to?: string | undefined };

/** Mounts the carbon intensities; `carbon` is undefined when no source is configured. */
export function carbonRoutes(mount: Mount<object>, deps: CarbonDeps): void {
  mount(getCarbonIntensity, ({ params, query }) => carbonIntensity({ ...params, ...query }, deps));
}

/** Returns the known carbon intensities of an area, as GET /price/carbon/{area} does. */
export async function carbonIntensity(
  { area: asked, ...query }: CarbonRequest,
  { carbon, clock }: CarbonDeps,
): Promise<CarbonIntensity> {
  const area = findArea(asked);
  if (!area) throw new Problem('not_found', `The area ${asked.slice(0, 40)} is not supported.`);
  const now = clock.now();
  const from =
    query.from === undefined
      ? marketDay(area, marketDateAt(area, now)).start
      : resolveInstant(query.from, 'query.from', area);
  const latest = from + maxRangeMs;
  const to =
    query.to === undefined
      ? Math.min(Math.max(now, from + hourMs), latest)
      : resolveInstant(query.to, 'query.to', area);
  if (to <= from) throw fieldProblem('unprocessable', 'query.to', 'must be later than the start');
  if (to > latest) throw fieldProblem('unprocessable', 'query.to', 'must be at most 366 days later');
  const found = await carbon?.find(area, from, to);
  if (!found) throw new Problem('not_found', `No source of carbon intensities is configured for ${area.code}.`);
  const { provider, hours, fetchedAt, missingHours } = found;
  return {
    area: nameAsAsked(asked, area),
    unit: 'g/kWh' as const,
    intervals: hours.map(({ start, intensity }) => ({
      start: formatTime(start),
      end: formatTime(start + hourMs),
      intensity,
    })),
    metadata: {
      provider,
      resolved_area: area.code,
      fetched_at: fetchedAt === undefined ? null : formatTime(fetchedAt),
      total_points: hours.length,
      missing_hours: missingHours,
    },
  };
}
