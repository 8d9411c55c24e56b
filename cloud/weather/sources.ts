import { dayMs, hourMs } from '#contract/time.ts';
import { clearSkyOver, type GeoPosition } from '#plan/forecast/sun.ts';

/** The weather of an hour. NaN: unknown. */
export type WeatherHour = { start: number; temperature: number; irradiance: number };

type WeatherAnswer = { hours: WeatherHour[]; modified?: string | undefined };

export type WeatherSource = {
  id: string;
  name: string;
  /** Fetches hours of a place; undefined if they have not changed since `modified`. */
  fetchHours(place: GeoPosition, asked: WeatherQuery): Promise<WeatherAnswer | undefined>;
};

type WeatherQuery = { pastDays: number; modified?: string | undefined; signal: AbortSignal };

type WeatherSettings = {
  /** ids of the sources to use, in this order */
  ids: readonly string[];
  /** alternative addresses, by id */
  urls: Readonly<Record<string, string>>;
  /** e-mail address or URL of the operator */
  contact?: string | undefined;
  version: string;
};

/** A failed request. The message contains neither the address nor the place. */
export class WeatherError extends Error {
  override name = 'WeatherError';
  readonly isAboutPlace: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { isAboutPlace = false, retryAfterMs }: Partial<WeatherError> = {}) {
    super(message);
    this.isAboutPlace = isAboutPlace;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Unchecked JSON. Reading a missing member throws, which counts as a malformed response. */
type Json = { readonly [key: string]: Json } & { readonly [index: number]: Json };

type WeatherForm = {
  id: string;
  name: string;
  baseUrl: string;
  /** whether its terms demand that requests name a contact */
  needsContact?: boolean;
  path(latitude: string, longitude: string, pastDays: number): string;
  read(body: Json, place: GeoPosition): WeatherHour[];
};

/** Days that a source forecasts, and that are used. */
export const forecastDays = 10;
const timeoutMs = 8000;
const maxBytes = 1_000_000;

/** Creates the configured sources; one without the contact that its terms demand is reported to `onLeftOut`. */
export function createWeatherSources(
  { ids, urls, contact, version }: WeatherSettings,
  onLeftOut: (id: string) => void,
) {
  return forms
    .filter(({ id }) => ids.includes(id))
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .flatMap((form): WeatherSource[] => {
      const { id, name, baseUrl, needsContact } = form;
      if (needsContact && !contact) {
        onLeftOut(id);
        return [];
      }
      const program = `Ohmstead/${version}`;
      const agent = { 'user-agent': needsContact ? `${program} ${contact}` : program };
      return [
        {
          id,
          name,
          async fetchHours(place, { pastDays, modified, signal }) {
            const [latitude, longitude] = [place.latitude.toFixed(1), place.longitude.toFixed(1)];
            const headers = { ...agent, ...(modified && { 'if-modified-since': modified }) };
            const url = (urls[id] ?? baseUrl) + form.path(latitude, longitude, pastDays);
            const answer = await get(url, headers, signal);
            return answer && { hours: readWith(form, answer.text, place), modified: answer.modified };
          },
        },
      ];
    });
}

/** Fetches a text with limits on time and size; undefined if it has not changed. */
async function get(url: string, headers: Record<string, string>, closing: AbortSignal) {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal });
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status === 304 && 'if-modified-since' in headers) return undefined;
      throw statusError(response);
    }
    const decoder = new TextDecoder();
    let [bytes, text] = [0, ''];
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new WeatherError('The response is too large.'); // ends the transfer
      text += decoder.decode(chunk, { stream: true });
    }
    return { text, modified: response.headers.get('last-modified') ?? undefined };
  } catch (error) {
    if (error instanceof WeatherError) throw error;
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    throw new WeatherError(isTimeout ? 'The request timed out.' : 'The request failed.');
  }
}

const generalStatuses = [401, 403, 404, 408, 429]; // others below 500 may be about one place

function statusError({ status, headers }: Response): WeatherError {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new WeatherError(`The response status was ${status}.`, {
    isAboutPlace: status >= 400 && status < 500 && !generalStatuses.includes(status),
    retryAfterMs: seconds > 0 ? Math.min(seconds * 1000, dayMs) : undefined,
  });
}

function readWith(form: WeatherForm, text: string, place: GeoPosition): WeatherHour[] {
  let hours: WeatherHour[];
  try {
    hours = form.read(JSON.parse(text), place);
  } catch {
    throw new WeatherError('The response does not have the expected form.');
  }
  if (!hours.some(({ temperature, irradiance }) => !Number.isNaN(temperature) || !Number.isNaN(irradiance)))
    throw new WeatherError('The response contains no weather.');
  return hours;
}

/** Returns a plausible number, or NaN. */
const numberIn = (value: unknown, lowest: number, highest: number): number =>
  typeof value === 'number' && value >= lowest && value <= highest ? value : Number.NaN;

const temperatureOf = (value: unknown): number => numberIn(value, -90, 60); // °C, the records of the earth
const irradianceOf = (value: unknown): number => numberIn(value, 0, 1500); // W/m²

const listOf = (value: Json): readonly Json[] => {
  if (!Array.isArray(value)) throw new TypeError('a list is missing');
  return value;
};

const maxEntries = 2400; // 100 days of hours
const maxGapHours = 6; // steps of met.no after the first days

/** Returns the share of the clear sky's irradiance that passes clouds, by the formula of Kasten and Czeplak. */
const clearShare = (cloudPct: number): number => 1 - 0.75 * (cloudPct / 100) ** 3.4;

const forms: readonly WeatherForm[] = [
  {
    id: 'open-meteo',
    name: 'Open-Meteo',
    baseUrl: 'https://api.open-meteo.com',
    path: (latitude, longitude, pastDays) =>
      `/v1/forecast?latitude=${latitude}&longitude=${longitude}&hourly=temperature_2m,shortwave_radiation` +
      `&past_days=${pastDays}&forecast_days=${forecastDays}&timeformat=unixtime&timezone=GMT`,
    read({ hourly }) {
      const times = listOf(hourly!.time!).slice(0, maxEntries);
      return times.map((time, n) => ({
        start: Number(time) * 1000,
        temperature: temperatureOf(hourly!.temperature_2m?.[n]),
        irradiance: irradianceOf(hourly!.shortwave_radiation?.[n + 1]), // the mean of the hour before its time
      }));
    },
  },
  {
    id: 'met-no',
    name: 'MET Norway',
    baseUrl: 'https://api.met.no',
    needsContact: true,
    path: (latitude, longitude) => `/weatherapi/locationforecast/2.0/compact?lat=${latitude}&lon=${longitude}`,
    read(body, place) {
      const points = listOf(body.properties!.timeseries!)
        .slice(0, maxEntries / maxGapHours)
        .map(({ time, data }) => ({
          start: typeof time === 'string' ? Date.parse(time) : Number.NaN,
          temperature: temperatureOf(data!.instant!.details!.air_temperature),
          cloudPct: numberIn(data!.instant!.details!.cloud_area_fraction, 0, 100),
        }));
      return points.flatMap((point, n): WeatherHour[] => {
        const next = points[n + 1];
        const hours = next ? (next.start - point.start) / hourMs : 0;
        if (!next || !(hours >= 1 && hours <= maxGapHours)) return [];
        return Array.from({ length: hours }, (_, hour) => {
          const between = (from: number, to: number): number => from + ((to - from) * hour) / hours;
          const start = point.start + hour * hourMs;
          const clear = clearSkyOver({ start, end: start + hourMs }, place);
          return {
            start,
            temperature: between(point.temperature, next.temperature),
            irradiance: clear * clearShare(between(point.cloudPct, next.cloudPct)),
          };
        });
      });
    },
  },
];
