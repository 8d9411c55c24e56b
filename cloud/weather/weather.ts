import type { PlanSaying } from '#contract/plan-sentences.ts';
import { dayMs, formatTime, hourMs, minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { pairsOf } from '#lib/config.ts';
import { createFailureLog } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import { createRateLimiter } from '#lib/rate-limit.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { History } from '#plan/forecast/history.ts';
import type { GeoPosition } from '#plan/forecast/sun.ts';
import type { CloudConfig } from '../config.ts';
import { createWeatherSources, forecastDays, WeatherError, type WeatherHour, type WeatherSource } from './sources.ts';

/** The weather of a site, as far as it is known, and a sentence about it for people. */
export type SiteWeather = { temperature?: History; irradiance?: History; note: PlanSaying };

export type Weather = ReturnType<typeof createWeather>;

type Position = { latitude: number | null; longitude: number | null };

type PlaceWeather = {
  startMs: number;
  temperature: Float32Array;
  irradiance: Float32Array;
  fetchedAt: number;
  provider: string;
};

type Place = {
  position: GeoPosition;
  known: PlaceWeather | undefined;
  nextAt: number;
  /** by source, when it last changed its answer, in its own words */
  modified: Map<string, string>;
  asking: Promise<void> | undefined;
};

const maxPlaces = 2000; // 10 kB each
const maxPerMinute = 60; // requests to a source
const pastDays = 43; // that forecasts learn from
const overlapDays = 2; // a source replaces the forecasts of the last days by better values
const hoursKept = (pastDays + forecastDays) * 24;
const retryMs = 10 * minuteMs; // after an attempt without an answer
const firstPauseMs = minuteMs;
const maxPauseMs = hourMs;
const staleMs = 6 * hourMs;

type Settings = Pick<CloudConfig, 'WEATHER_SOURCES' | 'WEATHER_SOURCE_URLS' | 'WEATHER_CONTACT'>;
type WeatherDeps = { clock: Clock; log: Logger };

/** Returns the weather of the configured sources; undefined without any. */
export function openWeather(settings: Settings, { version, ...deps }: WeatherDeps & { version: string }) {
  const sources = createWeatherSources(
    {
      ids: settings.WEATHER_SOURCES.split(',').filter(Boolean),
      urls: pairsOf(settings.WEATHER_SOURCE_URLS),
      contact: settings.WEATHER_CONTACT,
      version,
    },
    (source) => deps.log.warn({ source }, 'weather source is not used, because WEATHER_CONTACT is not set'),
  );
  return sources.length > 0 ? createWeather(sources, deps) : undefined;
}

/** Knows the weather of places of 0.1°, which neighbours share: asks the sources in order, at most once an hour for each. */
function createWeather(sources: readonly WeatherSource[], { clock, log }: WeatherDeps) {
  const messages = { failed: 'weather source failed', again: 'weather source recovered' };
  const watched = sources.map((source) => ({
    source,
    outcome: createFailureLog(log, messages),
    failures: 0,
    pausedUntil: 0,
  }));
  const budget = createRateLimiter({ limit: maxPerMinute, windowMs: minuteMs, clock, maxKeys: 100 });
  const places = new RecentMap<Place>(maxPlaces);
  const closing = new AbortController();

  async function ask(place: Place): Promise<void> {
    const now = clock.now();
    place.nextAt = now + retryMs;
    for (const each of watched) {
      const { id, name } = each.source;
      if (closing.signal.aborted) return;
      if (now < each.pausedUntil || !budget.take(id).allowed) continue;
      try {
        const answer = await each.source.fetchHours(place.position, {
          pastDays: isKnownSince(place.known, now - (pastDays - overlapDays) * dayMs, now) ? overlapDays : pastDays,
          modified: place.modified.get(id),
          signal: closing.signal,
        });
        each.failures = 0;
        each.outcome.succeeded({ source: id });
        place.nextAt = now + hourMs;
        if (answer) place.known = merge(place.known, answer.hours, { fetchedAt: now, provider: name });
        else if (place.known) place.known = { ...place.known, fetchedAt: now, provider: name };
        if (answer?.modified) place.modified.set(id, answer.modified);
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        const failure = error instanceof WeatherError ? error : undefined;
        if (failure?.isAboutPlace) {
          log.debug({ err: error, source: id }, 'weather source has no answer for a place');
          continue;
        }
        each.outcome.failed(error, { source: id });
        each.pausedUntil = now + (failure?.retryAfterMs ?? Math.min(maxPauseMs, firstPauseMs * 2 ** each.failures));
        each.failures = Math.min(each.failures + 1, 10);
      }
    }
  }

  return {
    /** Returns the weather at a position. Never throws: without an answer older values are used, or none. */
    async at({ latitude, longitude }: Position): Promise<SiteWeather> {
      if (latitude === null || longitude === null) return { note: { key: 'weather_no_position' } };
      const position = { latitude: tenthOf(latitude), longitude: tenthOf(longitude) };
      const key = `${position.latitude},${position.longitude}`;
      const place = places.getOrCreate(key, () => ({
        position,
        known: undefined,
        nextAt: 0,
        modified: new Map(),
        asking: undefined,
      }));
      if (clock.now() >= place.nextAt)
        place.asking ??= ask(place).finally(() => {
          place.asking = undefined;
        });
      await place.asking;
      const { known } = place;
      if (!known) return { note: { key: 'weather_unknown' } };
      const { startMs, temperature, irradiance, fetchedAt, provider: name } = known;
      const isOld = clock.now() - fetchedAt > staleMs;
      return {
        temperature: { startMs, stepMs: hourMs, values: temperature },
        irradiance: { startMs, stepMs: hourMs, values: irradiance },
        note: isOld ? { key: 'weather_old', name, at: formatTime(fetchedAt) } : { key: 'weather_of', name },
      };
    },

    /** Ends requests that are under way. */
    close: (): void => closing.abort(),
  };
}

/** Rounds to 0.1°, so that a source does not learn where a home is. */
const tenthOf = (degrees: number): number => Math.round(degrees * 10) / 10 + 0;

/** Returns whether measured weather is known from an instant until a few hours ago. */
function isKnownSince(known: PlaceWeather | undefined, from: number, now: number): boolean {
  if (!known || now - known.fetchedAt > (overlapDays - 1) * dayMs) return false;
  return !Number.isNaN(known.irradiance[Math.floor((from - known.startMs) / hourMs)] ?? Number.NaN);
}

/** Adds hours to those that are known; the oldest are left out. */
function merge(
  known: PlaceWeather | undefined,
  hours: readonly WeatherHour[],
  origin: Pick<PlaceWeather, 'fetchedAt' | 'provider'>,
): PlaceWeather {
  const startMs = Math.floor(origin.fetchedAt / dayMs - pastDays) * dayMs;
  const shift = known ? (startMs - known.startMs) / hourMs : 0;
  const kept = (name: 'temperature' | 'irradiance') =>
    Float32Array.from({ length: hoursKept }, (_, i) => known?.[name][i + shift] ?? Number.NaN);
  const merged = { ...origin, startMs, temperature: kept('temperature'), irradiance: kept('irradiance') };
  for (const { start, temperature, irradiance } of hours) {
    const i = (start - startMs) / hourMs;
    if (!(Number.isInteger(i) && i >= 0 && i < hoursKept)) continue;
    if (!Number.isNaN(temperature)) merged.temperature[i] = temperature;
    if (!Number.isNaN(irradiance)) merged.irradiance[i] = irradiance;
  }
  return merged;
}
