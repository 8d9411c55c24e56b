import { dayMs, hourMs } from '#contract/time.ts';
import { type Domain, findNamed } from './domains.ts';
import { marketDays, type Price } from './market-days.ts';

const elering = ['ee', 'fi', 'lt', 'lv'];
const maxRecords = 100; // of Energi Data Service, when the request has no limit
const perEuro = { SEK: 11.1, NOK: 11.7, DKK: 7.46 };

/** Returns the answer of a JSON publisher; undefined for an unknown path, null for unpublished prices. */
export function jsonAnswer(url: URL, now: number): unknown {
  const { pathname: path, searchParams: query } = url;
  const known = (name: string | null | undefined, from: number, to: number): Price[] =>
    publishedIn(findNamed(name ?? ''), { from, to, now });

  const perDay = /^\/api\/v1\/prices\/(\d{4})\/(\d\d-\d\d)_(\w+)\.json$/.exec(path);
  if (perDay) {
    const [, year, date, area = ''] = perDay;
    return kilowattHours(onDate(area, `${year}-${date}`, now), area);
  }

  if (path === '/price')
    return energyCharts(known(query.get('bzn'), dateOf(query, 'start'), dateOf(query, 'end') + dayMs));
  if (path === '/api/DayAheadPrices') {
    const area = query.get('deliveryArea') ?? '';
    return nordPool(onDate(area, query.get('date') ?? '', now), area);
  }
  if (path === '/dataset/DayAheadPrices' || path === '/dataset/Elspotprices') {
    const area = /"PriceArea":\["(\w+)"\]/.exec(query.get('filter') ?? '')?.[1];
    const [from, to] = [dateOf(query, 'start') + dayMs / 2, dateOf(query, 'end') - dayMs / 2 + 1];
    const found = known(area, from, to).slice(0, Number(query.get('limit') ?? maxRecords) || undefined);
    return energiDataService(found, path.endsWith('Elspotprices'), area);
  }
  if (path === '/api/nps/price') {
    const [from, to] = [dateOf(query, 'start'), dateOf(query, 'end')];
    const data = elering.map((name) => [
      name,
      known(name, from, to)
        .filter(({ start }) => start >= from && start <= to)
        .map(({ start, price }) => ({ timestamp: start / 1000, price })),
    ]);
    return { success: true, data: Object.fromEntries(data) };
  }
  const awattar = /^\/awattar\/(de|at)\/v1\/marketdata$/.exec(path);
  if (awattar) {
    const [from, to] = [Number(query.get('start')), Number(query.get('end'))];
    const within = known(awattar[1], from, to).filter(({ start }) => start >= from && start < to);
    return { object: 'list', data: hoursOf(within) };
  }
  return undefined;
}

function publishedIn(
  domain: Domain | undefined,
  { from, to, now }: { from: number; to: number; now: number },
): Price[] {
  if (!domain || !(to > from) || to - from > 40 * dayMs) return [];
  return marketDays(domain, from, to)
    .filter(({ publishedAt }) => now >= publishedAt)
    .flatMap(({ prices }) => prices);
}

function onDate(name: string | undefined, date: string, now: number): Price[] {
  const noon = Date.parse(`${date}T12:00Z`);
  return publishedIn(findNamed(name ?? ''), { from: noon, to: noon + 1, now });
}

const seconds = (at: number): string => new Date(at).toISOString().slice(0, 19);

const dateOf = (query: URLSearchParams, name: string): number => Date.parse(query.get(name) ?? '');

const energyCharts = (prices: Price[]) => ({
  license_info: 'Simulated market: these prices are not real',
  unix_seconds: prices.map(({ start }) => start / 1000),
  price: prices.map(({ price }) => price),
  unit: 'EUR / MWh',
  deprecated: false,
});

function kilowattHours(prices: Price[], area: string): unknown {
  if (prices.length === 0) return null;
  const currency = area.startsWith('NO') ? 'NOK' : 'SEK';
  const rate = perEuro[currency];
  return prices.map(({ start, end, price }) => ({
    [`${currency}_per_kWh`]: Number(((price / 1000) * rate).toFixed(5)),
    EUR_per_kWh: Number((price / 1000).toFixed(5)),
    EXR: rate,
    time_start: `${seconds(start)}+00:00`,
    time_end: `${seconds(end)}+00:00`,
  }));
}

const nordPool = (prices: Price[], area: string): unknown =>
  prices.length === 0
    ? null
    : {
        currency: 'EUR',
        deliveryAreas: [area],
        multiAreaEntries: prices.map(({ start, end, price }) => ({
          deliveryStart: `${seconds(start)}Z`,
          deliveryEnd: `${seconds(end)}Z`,
          entryPerArea: { [area]: price },
        })),
        areaStates: [{ state: 'Final', areas: [area] }],
      };

const energiDataService = (prices: Price[], isHourly: boolean, PriceArea = '') => ({
  records: prices.toReversed().map(({ start, price }) => {
    const time = seconds(start);
    return isHourly
      ? { HourUTC: time, PriceArea, SpotPriceEUR: price, SpotPriceDKK: price * perEuro.DKK }
      : { TimeUTC: time, PriceArea, DayAheadPriceEUR: price, DayAheadPriceDKK: price * perEuro.DKK };
  }),
});

function hoursOf(prices: Price[]) {
  const starts = [...new Set(prices.map(({ start }) => Math.floor(start / hourMs) * hourMs))];
  return starts.map((start) => {
    const inside = prices.filter((price) => price.start >= start && price.start < start + hourMs);
    const marketprice = inside.reduce((sum, { price }) => sum + price / inside.length, 0);
    const price = { marketprice: Number(marketprice.toFixed(4)), unit: 'Eur/MWh' };
    return { start_timestamp: start, end_timestamp: start + hourMs, ...price };
  });
}
