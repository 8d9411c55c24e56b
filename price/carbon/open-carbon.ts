import { Problem } from '#contract/problem.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { createFailureLog } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import { createRateLimiter } from '#lib/rate-limit.ts';
import { retry } from '#lib/retry.ts';
import type { Area } from '../electricity/areas.ts';
import { SourceError } from '../electricity/source.ts';
import { createCircuitBreaker, retries, ServiceClosed } from '../electricity/source-chain.ts';
import { type CarbonDay, hoursPerDay, openCarbonStore } from '../store/carbon-store.ts';
import type { CarbonSource, TimeRange } from './sources.ts';

export type CarbonOptions = { dataDir: string; sources: readonly CarbonSource[]; clock: Clock; log: Logger };

export type FoundCarbon = {
  provider: string;
  /** hours with a known intensity, in order of time */
  hours: { start: number; intensity: number }[];
  fetchedAt: number | undefined;
  missingHours: number;
};

const maxPerHour = 120; // requests to a source; a year of an area needs 7 to 37, and every caller may ask for any area
const maxFetchMs = 25_000;
const pauseMs = 20_000; // after a failure
const minAgeMs = 15 * minuteMs; // of values that may have changed
const finalMs = 10 * dayMs; // by then sources have replaced estimates and filled gaps

/** The requests to a source about one area, one after the other. */
type Lane = {
  source: CarbonSource;
  area: Area;
  breaker: ReturnType<typeof createCircuitBreaker>;
  outcome: ReturnType<typeof createFailureLog>;
  pausedUntil: number;
  last: Promise<void>;
};

export type OpenCarbon = ReturnType<typeof openCarbon>;

/** Opens the carbon intensities of all areas: a past day is fetched once, in ranges; a day with missing hours again later. */
export function openCarbon({ dataDir, sources, clock, log }: CarbonOptions) {
  const onDamaged = (file: string): void => log.warn({ file }, 'damaged carbon database moved aside');
  const store = openCarbonStore({ dataDir, onDamaged });
  const budget = createRateLimiter({ limit: maxPerHour, windowMs: hourMs, clock, maxKeys: 100 });
  const breakers = new Map(sources.map(({ id }) => [id, createCircuitBreaker(clock)]));
  const lanes = new Map<string, Lane>();
  const closing = new AbortController();

  function laneOf(area: Area): Lane | undefined {
    const known = lanes.get(area.code);
    if (known) return known;
    const source = sources.find(({ covers }) => covers(area));
    if (!source) return undefined;
    const messages = { failed: 'carbon source failed', again: 'carbon source recovered' };
    const lane = {
      source,
      area,
      breaker: createCircuitBreaker(clock),
      outcome: createFailureLog(log, messages),
      pausedUntil: 0,
      last: Promise.resolve(),
    };
    lanes.set(area.code, lane);
    return lane;
  }

  const storedDays = ({ source, area }: Lane, { from, to }: TimeRange): CarbonDay[] =>
    store.find(source.id, area.code, startOfDay(from), to);

  /** Returns the days of a range that are to be fetched: those not stored, and those that may have more hours by now. */
  function dueDays(lane: Lane, range: TimeRange): number[] {
    const now = clock.now();
    const stored = new Map(storedDays(lane, range).map((day) => [day.start, day]));
    const due: number[] = [];
    const end = Math.min(range.to, startOfHour(now));
    for (let start = Math.max(startOfDay(range.from), lane.source.since); start < end; start += dayMs) {
      const day = stored.get(start);
      if (!day || now >= nextFetchAt(day)) due.push(start);
    }
    return due;
  }

  async function fetchDays(lane: Lane, first: number, last: number, signal: AbortSignal): Promise<void> {
    const { source, area } = lane;
    const range = { from: first, to: Math.min(last + dayMs, startOfHour(clock.now())) };
    const hours = await retry(() => source.fetchHours(area, range, signal), { ...retries, signal });
    const stored = new Map(storedDays(lane, range).map((day) => [day.start, day]));
    const fetchedAt = clock.now();
    const days: CarbonDay[] = [];
    for (let start = first; start <= last; start += dayMs) {
      const before = stored.get(start)?.hours ?? [];
      const values = Array.from({ length: hoursPerDay }, (_, n) => hours.get(start + n * hourMs) ?? before[n]);
      days.push({ start, hours: values, fetchedAt });
    }
    try {
      store.save(source.id, area.code, days);
    } catch (error) {
      lane.pausedUntil = clock.now() + pauseMs;
      log.error({ err: error, area: area.code }, 'failed to store carbon intensities');
    }
  }

  function noteFailure(lane: Lane, error: unknown): void {
    const { source, area } = lane;
    lane.pausedUntil = clock.now() + pauseMs;
    // A token may be valid for some areas only, so a refusal does not stop requests about others.
    const isAboutArea = error instanceof SourceError && (error.kind === 'refused' || error.kind === 'malformed');
    (isAboutArea ? lane.breaker : breakers.get(source.id))?.fail(error);
    lane.outcome.failed(error, { source: source.id, area: area.code });
  }

  const mayAsk = ({ source, breaker, pausedUntil }: Lane): boolean =>
    clock.now() >= pausedUntil &&
    !breaker.isOpen() &&
    !breakers.get(source.id)?.isOpen() &&
    budget.take(source.id).allowed;

  /** Fetches what is due in as few requests as possible, the newest days first; stops at the first failure. */
  async function update(lane: Lane, range: TimeRange): Promise<void> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(maxFetchMs)]);
    const due = dueDays(lane, range);
    for (let last = due.at(-1); last !== undefined && mayAsk(lane); last = due.at(-1)) {
      const earliest = last - (lane.source.maxDays - 1) * dayMs;
      const first = due.find((start) => start >= earliest) ?? last;
      try {
        await fetchDays(lane, first, last, signal);
      } catch (error) {
        if (!signal.aborted) noteFailure(lane, error);
        return;
      }
      lane.breaker.succeed();
      breakers.get(lane.source.id)?.succeed();
      lane.outcome.succeeded({ source: lane.source.id, area: lane.area.code });
      due.length = due.indexOf(first);
    }
  }

  return {
    /**
     * Returns the known hours that overlap a range; undefined when no source covers the area.
     * Throws a Problem when the source fails and none of them is stored.
     */
    async find(area: Area, from: number, to: number): Promise<FoundCarbon | undefined> {
      const lane = laneOf(area);
      if (!lane) return undefined;
      const range = { from: startOfHour(from), to };
      if (dueDays(lane, range).length > 0) {
        const updated = lane.last.then(() => update(lane, range)); // other callers may have fetched some of it
        lane.last = updated.catch(() => {});
        await updated;
      }
      const found = knownHours(storedDays(lane, range), range, clock.now());
      if (found.hours.length === 0 && dueDays(lane, range).length > 0) throw unavailable(lane.source);
      return { provider: lane.source.name, ...found };
    },

    async close(): Promise<void> {
      closing.abort(new ServiceClosed('The service closes.'));
      await Promise.allSettled([...lanes.values()].map(({ last }) => last));
      store.close();
    },
  };
}

const startOfHour = (at: number): number => Math.floor(at / hourMs) * hourMs;
const startOfDay = (at: number): number => Math.floor(at / dayMs) * dayMs;

/** Returns when to fetch a day with missing hours again: after as long as it was over when last fetched. */
function nextFetchAt({ start, hours, fetchedAt }: CarbonDay): number {
  const ageMs = fetchedAt - (start + dayMs);
  if (ageMs >= finalMs || hours.every((intensity) => intensity !== undefined)) return Number.POSITIVE_INFINITY;
  return fetchedAt + Math.max(minAgeMs, ageMs);
}

function knownHours(days: readonly CarbonDay[], { from, to }: TimeRange, now: number) {
  const hours: FoundCarbon['hours'] = [];
  for (const day of days) {
    for (const [n, intensity] of day.hours.entries()) {
      const start = day.start + n * hourMs;
      if (intensity !== undefined && start >= from && start < to) hours.push({ start, intensity });
    }
  }
  const pastHours = Math.max(0, Math.ceil((Math.min(to, startOfHour(now)) - from) / hourMs));
  const fetchedAt = days.length > 0 ? Math.max(...days.map((day) => day.fetchedAt)) : undefined;
  return { hours, fetchedAt, missingHours: pastHours - hours.length };
}

const unavailable = ({ name }: CarbonSource): Problem => {
  const sentence = `${name} cannot be asked for carbon intensities now, and none of this range is stored.`;
  return new Problem('unavailable', sentence, { retryAfterSeconds: 30 });
};
