import { getCarbonIntensity } from '#contract/price/carbon.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { dayMs, formatTime, hourMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Mount } from '#lib/http/mount.ts';
import { findArea, nameAsAsked } from '../electricity/areas.ts';
import { marketDateAt, marketDay } from '../electricity/market-day.ts';
import { resolveInstant } from '../total/terms.ts';
import type { OpenCarbon } from './open-carbon.ts';

const maxRangeMs = 366 * dayMs;

/** Mounts the carbon intensities; `carbon` is undefined when no source is configured. */
export function carbonRoutes(
  mount: Mount<object>,
  { carbon, clock }: { carbon: OpenCarbon | undefined; clock: Clock },
): void {
  mount(getCarbonIntensity, async ({ params, query }) => {
    const area = findArea(params.area);
    if (!area) throw new Problem('not_found', `The area ${params.area.slice(0, 40)} is not supported.`);
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
      area: nameAsAsked(params.area, area),
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
  });
}
