import { hourMs, minuteMs } from '#contract/time.ts';
import type { Logger } from '#lib/log.ts';
import type { Area } from '../electricity/areas.ts';
import { type Json, listOf, timeOf } from '../electricity/keyless.ts';
import { checkStatus, SourceError } from '../electricity/source.ts';
import { createUpstream } from '../electricity/upstream.ts';
import { roundIntensity } from '../store/carbon-store.ts';

export type TimeRange = { from: number; to: number };

/** An unchecked value of a response; null when it is not known. */
type Measured = { start: number; intensity: unknown };

type CarbonQuery = TimeRange & { name: string };

/** A publisher of carbon intensities as JSON. */
type CarbonForm = {
  id: string;
  name: string;
  baseUrl: string;
  /** first day with values, YYYY-MM-DD */
  since: string;
  stepMs: number;
  /** length of a range that one request may ask for */
  maxDays: number;
  needsToken?: boolean;
  /** Returns the publisher's name of an area; undefined when it does not cover the area. */
  nameOf(code: string): string | undefined;
  path(query: CarbonQuery): string;
  read(body: Json, query: CarbonQuery): Measured[];
};

export type CarbonSource = Pick<CarbonForm, 'id' | 'name' | 'maxDays'> & {
  since: number;
  covers(area: Area): boolean;
  /** Fetches a range of whole hours; returns the intensities of hours that are known as a whole, by their start. */
  fetchHours(area: Area, range: TimeRange, signal: AbortSignal): Promise<Map<number, number>>;
};

export type CarbonSettings = {
  /** ids of the sources to use, in this order */
  ids: readonly string[];
  /** alternative addresses, by id */
  urls: Readonly<Record<string, string>>;
  electricityMapsToken?: string | undefined;
};

/** Creates the configured sources; leaves out one that lacks its token. */
export function createCarbonSources({ ids, urls, electricityMapsToken: token }: CarbonSettings, log: Logger) {
  const upstream = createUpstream();
  return ids.flatMap((id): CarbonSource[] => {
    const form = forms.find((each) => each.id === id);
    if (!form) return [];
    if (form.needsToken && !token) {
      log.warn({ source: id }, 'carbon source is not used, because its token is not set');
      return [];
    }
    const headers = form.needsToken && token ? { 'auth-token': token } : {};
    const source: CarbonSource = {
      id,
      name: form.name,
      maxDays: form.maxDays,
      since: Date.parse(form.since),
      covers: ({ code }) => form.nameOf(code) !== undefined,
      async fetchHours({ code }, range, signal) {
        const query = { ...range, name: form.nameOf(code) ?? code };
        const url = new URL((urls[id] ?? form.baseUrl) + form.path(query));
        const { status, text } = await upstream.get(url, signal, headers);
        checkStatus(status);
        return hourlyMeans(readWith(form, text, query), form.stepMs, range);
      },
    };
    return [source];
  });
}

function readWith(form: CarbonForm, text: string, query: CarbonQuery): Measured[] {
  try {
    return form.read(JSON.parse(text), query);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError('malformed', 'The response does not have the expected form.');
  }
}

const maxIntensity = 3000; // about twice that of the dirtiest coal, g/kWh

/** Returns the means of hours within a range whose values are all known; an implausible value is not. */
function hourlyMeans(values: readonly Measured[], stepMs: number, { from, to }: TimeRange): Map<number, number> {
  const known = new Map<number, number>();
  for (const { start, intensity } of values) {
    if (!(start % stepMs === 0)) throw new SourceError('malformed', 'A time in the response is invalid.');
    if (start < from || start >= to || intensity === null) continue;
    if (typeof intensity !== 'number') throw new SourceError('malformed', 'The response lacks a carbon intensity.');
    if (intensity >= 0 && intensity <= maxIntensity) known.set(start, intensity);
  }
  const means = new Map<number, number>();
  for (let hour = from; hour < to; hour += hourMs) {
    let sum = 0;
    for (let start = hour; start < hour + hourMs; start += stepMs) sum += known.get(start) ?? Number.NaN;
    if (!Number.isNaN(sum)) means.set(hour, roundIntensity((sum * stepMs) / hourMs));
  }
  return means;
}

const toMinute = (at: number): string => new Date(at).toISOString().slice(0, 16);

function checkName(received: unknown, name: string): void {
  if (received !== name) throw new SourceError('malformed', 'The response is about another area.');
}

const isTrue = (value: unknown): boolean => value === true;

/** Zones of Electricity Maps that are not the code of a country; Calabria is not one of them. */
const italianZones: Readonly<Record<string, string>> = {
  IT_NORD: 'IT-NO',
  IT_CNOR: 'IT-CNO',
  IT_CSUD: 'IT-CSO',
  IT_SUD: 'IT-SO',
  IT_SICI: 'IT-SIC',
  IT_SARD: 'IT-SAR',
};

function electricityMapsZone(code: string): string | undefined {
  if (/^[A-Z]{2}$/.test(code)) return code;
  if (/^(DK|NO|SE)\d$/.test(code)) return `${code.slice(0, 2)}-${code}`;
  return code === 'DE_LU' ? 'DE' : italianZones[code];
}

const forms: readonly CarbonForm[] = [
  {
    id: 'energidataservice',
    name: 'Energi Data Service',
    baseUrl: 'https://api.energidataservice.dk',
    since: '2017-01-01',
    stepMs: 5 * minuteMs,
    maxDays: 60, // about 2 MB
    nameOf: (code) => (/^DK[12]$/.test(code) ? code : undefined),
    path({ name, from, to }) {
      const filter = encodeURIComponent(JSON.stringify({ PriceArea: [name] }));
      const range = `start=${toMinute(from)}&end=${toMinute(to)}&timezone=UTC`;
      return `/dataset/CO2Emis?${range}&filter=${filter}&sort=Minutes5UTC%20ASC&limit=0`;
    },
    read: (body, { name }) =>
      listOf(body.records).map((record) => {
        checkName(record.PriceArea, name);
        return { start: timeOf(record.Minutes5UTC, 'Z'), intensity: record.CO2Emission };
      }),
  },
  {
    id: 'uk',
    name: 'Carbon Intensity API (GB)',
    baseUrl: 'https://api.carbonintensity.org.uk',
    since: '2018-01-01',
    stepMs: 30 * minuteMs,
    maxDays: 14, // of its documentation
    nameOf: (code) => (code === 'GB' ? code : undefined),
    path: ({ from, to }) => `/intensity/${toMinute(from)}Z/${toMinute(to)}Z`,
    read: (body) =>
      listOf(body.data).map((entry) => ({ start: timeOf(entry.from), intensity: entry.intensity?.actual })),
  },
  {
    id: 'electricitymaps',
    name: 'Electricity Maps',
    baseUrl: 'https://api.electricitymaps.com',
    since: '2017-01-01',
    stepMs: hourMs,
    maxDays: 10, // of its documentation
    needsToken: true,
    nameOf: electricityMapsZone,
    path: ({ name, from, to }) =>
      `/v3/carbon-intensity/past-range?zone=${name}&start=${toMinute(from)}:00Z&end=${toMinute(to)}:00Z`,
    read(body, { name }) {
      checkName(body.zone, name);
      // An estimate is replaced by the measured value within days.
      return listOf(body.data).map(({ datetime, carbonIntensity, isEstimated }) => ({
        start: timeOf(datetime),
        intensity: isTrue(isEstimated) ? null : carbonIntensity,
      }));
    },
  },
];
