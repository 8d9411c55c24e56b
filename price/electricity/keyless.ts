import { addDays } from '#contract/time-zone.ts';
import type { Area } from './areas.ts';
import { type MarketDaySpan, marketDay, type PricePoint, quartersFrom } from './market-day.ts';
import { checkStatus, type DateRange, daysOfRange, type Source, SourceError, wholeDay } from './source.ts';
import type { Upstream } from './upstream.ts';

export type SourceQuery = { name: string; date: string; span: MarketDaySpan };
type RangeQuery = DateRange & { name: string; span: MarketDaySpan };

/** A publisher of prices as JSON that needs no account. */
export type KeylessSource = Pick<Source, 'id' | 'name' | 'description' | 'isHourly'> & {
  baseUrl: string;
  /** the publisher's area names, by our area code */
  areas: Readonly<Record<string, string>>;
  path(query: SourceQuery): string;
  /** the path of several days, where one request can ask for them */
  rangePath?(query: RangeQuery): string;
  read(body: Json, query: { name: string }): PricePoint[];
};

/** Unchecked JSON. Reading a missing member throws, which counts as a malformed response. */
export type Json = { readonly [key: string]: Json } & { readonly [index: number]: Json };

export function createKeylessSource(form: KeylessSource, upstream: Upstream, baseUrl = form.baseUrl): Source {
  /** Returns the points of an answer; undefined when nothing is published yet. */
  async function ask(name: string, path: string, signal: AbortSignal) {
    const url = new URL(baseUrl.replace('{name}', name) + path);
    const { status, text, isSimulated } = await upstream.get(url, signal);
    if (status === 404 || status === 204) return undefined;
    checkStatus(status);
    return { points: readWith(form, text, name), isSimulated };
  }

  const { rangePath } = form;
  return {
    ...form,
    covers: ({ code }) => code in form.areas,
    async fetchDay(area, date, signal) {
      const name = form.areas[area.code];
      if (name === undefined) return undefined;
      const span = marketDay(area, date);
      const answer = await ask(name, form.path({ name, date, span }), signal);
      const points = answer && wholeDay(span, answer.points);
      return points && { points, isSimulated: answer.isSimulated };
    },
    ...(rangePath && {
      async fetchRange(area: Area, range: DateRange, signal: AbortSignal) {
        const name = form.areas[area.code];
        if (name === undefined) return new Map();
        const span = { start: marketDay(area, range.first).start, end: marketDay(area, range.last).end };
        const answer = await ask(name, rangePath({ name, ...range, span }), signal);
        if (!answer) return new Map();
        return daysOfRange(area, range, (day) => wholeDay(day, answer.points), answer.isSimulated);
      },
    }),
  };
}

function readWith(form: KeylessSource, text: string, name: string): PricePoint[] {
  try {
    return form.read(JSON.parse(text), { name });
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError('malformed', 'The response does not have the expected form.');
  }
}

export const listOf = (value: Json | undefined): readonly Json[] => {
  if (!Array.isArray(value)) throw new SourceError('malformed', 'The response lacks a list.');
  return value;
};

/** Returns a number, or NaN, which the price checks reject. */
const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : Number.NaN);

export const timeOf = (value: Json | undefined, suffix = ''): number =>
  typeof value === 'string' ? Date.parse(value + suffix) : Number.NaN;

/** Adds the ends where a publisher only gives starts: an interval ends where the next begins. */
function withEnds(prices: { start: number; price: Json | undefined }[]): PricePoint[] {
  const known = prices
    .filter(({ price }) => price !== null) // not published yet
    .sort((a, b) => a.start - b.start);
  return known.map(({ start, price }, n) => {
    const end = known[n + 1]?.start ?? start + (start - (known[n - 1]?.start ?? start));
    return { start, end, eur_per_mwh: numberOf(price) };
  });
}

/** Returns the publisher's name of areas, by default our own codes. */
const named = (codes: string, name?: string): Record<string, string> =>
  Object.fromEntries(codes.split(' ').map((code) => [code, name ?? code]));

/** The interface that the Swedish and the Norwegian publisher share. */
const filePerDay: Pick<KeylessSource, 'path' | 'read'> = {
  path: ({ name, date }) => `/api/v1/prices/${date.slice(0, 4)}/${date.slice(5)}_${name}.json`,
  read: (body) =>
    listOf(body).map((entry) => ({
      start: timeOf(entry.time_start),
      end: timeOf(entry.time_end),
      eur_per_mwh: numberOf(entry.EUR_per_kWh) * 1000,
    })),
};

/** Nord Pool publishes unconfirmed prices first: areaStates: [{ state: 'Preliminary', areas: ['SE3'] }] */
const isPreliminary = (areaStates: Json | undefined, name: string): boolean =>
  areaStates != null &&
  listOf(areaStates).some(
    ({ state, areas }) => JSON.stringify(state) !== '"Final"' && listOf(areas).some((area: unknown) => area === name),
  );

/** A path of Energi Data Service. Its hourly dataset ended with the hours of the market, and a month is in one of the two. */
function datasetPath(name: string, first: string, last: string): string {
  const filter = encodeURIComponent(JSON.stringify({ PriceArea: [name] }));
  const dataset = first < quartersFrom ? 'Elspotprices' : 'DayAheadPrices';
  return `/dataset/${dataset}?start=${first}&end=${addDays(last, 1)}&filter=${filter}`;
}

type WithSpan = { span: MarketDaySpan };

const eleringPath = ({ span }: WithSpan): string =>
  `/api/nps/price?start=${toSecond(span.start)}&end=${toSecond(span.end - 1)}`;

const awattarPath = ({ span }: WithSpan): string => `/v1/marketdata?start=${span.start}&end=${span.end}`;

/** In the order in which they are tried. */
export const keylessSources: readonly KeylessSource[] = [
  {
    id: 'energy_charts',
    name: 'Energy-Charts',
    description: 'Energy-Charts of Fraunhofer ISE; CC BY 4.0 for many areas, private use for others',
    baseUrl: 'https://api.energy-charts.info',
    areas: {
      ...named('AT BE BG CH CZ EE ES FI FR GR HR HU LT LV NL PL PT RO SI SK RS ME'),
      ...named('DK1 DK2 NO1 NO2 NO3 NO4 NO5 SE1 SE2 SE3 SE4'),
      ...named('DE LU DE_LU', 'DE-LU'),
      ...named('IT IT_NORD', 'IT-North'),
      IT_CNOR: 'IT-Centre-North',
      IT_CSUD: 'IT-Centre-South',
      IT_SUD: 'IT-South',
      IT_CALA: 'IT-Calabria',
      IT_SICI: 'IT-Sicily',
      IT_SARD: 'IT-Sardinia',
    },
    // One day more than needed, because the time zone of its dates is not documented.
    path: ({ name, date }) => `/price?bzn=${name}&start=${addDays(date, -1)}&end=${date}`,
    rangePath: ({ name, first, last }) => `/price?bzn=${name}&start=${addDays(first, -1)}&end=${last}`,
    read(body) {
      const prices = listOf(body.price);
      return withEnds(listOf(body.unix_seconds).map((at, n) => ({ start: numberOf(at) * 1000, price: prices[n] })));
    },
  },
  {
    id: 'elprisetjustnu',
    name: 'Elpriset just nu',
    description: 'elprisetjustnu.se',
    baseUrl: 'https://www.elprisetjustnu.se',
    areas: named('SE1 SE2 SE3 SE4'),
    ...filePerDay,
  },
  {
    id: 'hvakosterstrommen',
    name: 'Hva koster strømmen',
    description: 'hvakosterstrommen.no',
    baseUrl: 'https://www.hvakosterstrommen.no',
    areas: named('NO1 NO2 NO3 NO4 NO5'),
    ...filePerDay,
  },
  {
    id: 'energidataservice',
    name: 'Energi Data Service',
    description: 'Energi Data Service of Energinet',
    baseUrl: 'https://api.energidataservice.dk',
    areas: named('DK1 DK2'),
    path: ({ name, date }) => datasetPath(name, date, date),
    rangePath: ({ name, first, last }) => `${datasetPath(name, first, last)}&limit=0`, // by default a hundred records
    read: (body) =>
      withEnds(
        listOf(body.records).map((record) => ({
          start: timeOf(record.TimeUTC ?? record.HourUTC, 'Z'),
          price: 'SpotPriceEUR' in record ? record.SpotPriceEUR : record.DayAheadPriceEUR,
        })),
      ),
  },
  {
    id: 'elering',
    name: 'Elering',
    description: 'Elering Live, of the Estonian grid operator',
    baseUrl: 'https://dashboard.elering.ee',
    areas: { EE: 'ee', FI: 'fi', LT: 'lt', LV: 'lv' },
    path: eleringPath,
    rangePath: eleringPath,
    read: (body, { name }) =>
      withEnds(listOf(body.data?.[name]).map(({ timestamp, price }) => ({ start: numberOf(timestamp) * 1000, price }))),
  },
  {
    id: 'awattar',
    name: 'aWATTar',
    description: 'aWATTar, prices by the hour',
    isHourly: true,
    baseUrl: 'https://api.awattar.{name}',
    areas: { DE: 'de', LU: 'de', DE_LU: 'de', AT: 'at' },
    path: awattarPath,
    rangePath: awattarPath,
    read: (body) =>
      listOf(body.data).map((entry) => ({
        start: numberOf(entry.start_timestamp),
        end: numberOf(entry.end_timestamp),
        eur_per_mwh: numberOf(entry.marketprice),
      })),
  },
  {
    id: 'nordpool',
    name: 'Nord Pool',
    description: 'Nord Pool data portal; its terms restrict redistribution',
    baseUrl: 'https://dataportal-api.nordpoolgroup.com',
    areas: {
      ...named('AT BE BG DK1 DK2 EE FI FR LT LV NL PL SE1 SE2 SE3 SE4'),
      ...named('NO1 NO2 NO3 NO4 NO5'),
      ...named('DE LU DE_LU', 'GER'),
    },
    path: ({ name, date }) => `/api/DayAheadPrices?date=${date}&market=DayAhead&deliveryArea=${name}&currency=EUR`,
    read(body, { name }) {
      const entries = isPreliminary(body.areaStates, name) ? [] : listOf(body.multiAreaEntries);
      return entries.map((entry) => ({
        start: timeOf(entry.deliveryStart),
        end: timeOf(entry.deliveryEnd),
        eur_per_mwh: numberOf(entry.entryPerArea?.[name]),
      }));
    },
  },
];

const toSecond = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
