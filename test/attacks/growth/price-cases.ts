import { priceServerRoutes } from '#contract/price/routes.ts';
import { dayMs } from '#contract/time.ts';
import type { TestPrice } from '../../price/open-price.ts';
import { bodyCases } from './body-cases.ts';
import type { GrowthCase } from './measure.ts';

const ellevio = 'bcf661b4-9bad-5b0f-bc71-350a35023c36';
const component = '/eltariff/karlstads_elnat/prices/89692c76-9234-569a-879b-76583d031caf';
const quarterMs = 15 * 60_000;
const firstDay = Date.UTC(2025, 0, 1) - 3_600_000; // the market day begins at midnight in Brussels

const day = (n: number): string => new Date(firstDay + 3_600_000 + n * dayMs).toISOString().slice(0, 10);

/** Ranges of prices and load curves. */
export function priceCases(price: TestPrice): GrowthCase[] {
  const get = async (path: string, statuses = [200]): Promise<void> => {
    const { status, text } = await price.get(path);
    if (!statuses.includes(status)) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
  };
  const bill = async (body: unknown, type = 'application/json', query = ''): Promise<void> => {
    const { status, body: reply } = await price.post(`/price/bill${query}`, body, type);
    if (status !== 200) throw new Error(`bill: ${status} ${JSON.stringify(reply).slice(0, 300)}`);
  };
  const starts = (size: number): string[] =>
    Array.from({ length: size }, (_, n) => new Date(firstDay + n * quarterMs).toISOString());
  const range = (
    covers: string,
    what: string,
    base: number,
    urlOf: (days: number) => string,
    statuses?: number[],
  ): GrowthCase => ({
    covers: [covers],
    what,
    unit: 'days',
    base,
    async prepare(days) {
      await get(urlOf(days), statuses); // the days are fetched from the market once
      return () => get(urlOf(days), statuses);
    },
  });

  return [
    range(
      'GET /price/total',
      'quarters with a tariff',
      5,
      (days) => `/price/total?area=SE3&tariff_id=${ellevio}&from=${day(0)}&to=${day(days)}&resolution=PT15M`,
    ),
    range(
      'GET /price/cheapest',
      'a window of 24 hours in a range of quarters',
      5,
      (days) => `/price/cheapest?area=SE3&tariff_id=${ellevio}&hours=24&after=${day(0)}&before=${day(days)}`,
    ),
    {
      ...range(
        'GET /price/cheapest',
        'hours of the window, in 80 days',
        10,
        (hours) => `/price/cheapest?area=SE3&hours=${hours}&after=${day(0)}&before=${day(80)}`,
      ),
      unit: 'hours',
    },
    ...['/price/electricity', '/services/price/electricity'].map((prefix) =>
      range(`GET ${prefix}/{area}`, 'days of spot prices', 1, (days) => `${prefix}/SE3?date=${day(0)}&days=${days}`),
    ),
    range(
      'GET /price/carbon/{area}',
      'days of carbon intensities',
      5,
      (days) => `/price/carbon/DK1?from=${day(0)}&to=${day(days)}`,
    ),
    ...['2025-01-01', '2900-01-01'].map((from) =>
      range(
        'GET /eltariff/{provider}/prices/{componentId}',
        `hours of a component from ${from} on`,
        4,
        (days) =>
          `${component}?fromIncluding=${from}T00:00:00&toExcluding=${new Date(Date.parse(from) + days * dayMs).toISOString().slice(0, 19)}`,
        [200, 422],
      ),
    ),
    {
      covers: ['POST /price/marginal'],
      what: 'days of marginal prices, with a tariff',
      unit: 'days',
      base: 5,
      async prepare(days) {
        const body = { area: 'SE3', tariff_id: ellevio, from: firstDay, to: firstDay + days * dayMs };
        const ask = async (): Promise<void> => {
          const { status } = await price.post('/price/marginal', body, 'application/json');
          if (status !== 200) throw new Error(`marginal: ${status}`);
        };
        await ask();
        return ask;
      },
    },
    {
      covers: ['POST /price/bill'],
      what: 'quarters as JSON, with a tariff',
      unit: 'intervals',
      base: 480,
      async prepare(size) {
        const intervals = starts(size).map((start, n) => ({ start, import_kwh: n % 7, export_kwh: n % 3 }));
        const body = { area: 'SE3', tariff_id: ellevio, intervals };
        await bill(body);
        return () => bill(body);
      },
    },
    {
      covers: ['POST /price/bill'],
      what: 'quarters as CSV, with a tariff',
      unit: 'intervals',
      base: 480,
      async prepare(size) {
        const csv = ['start,import_kwh', ...starts(size).map((start, n) => `${start},${n % 7}`)].join('\n');
        const query = `?area=SE3&tariff_id=${ellevio}`;
        await bill(csv, 'text/csv', query);
        return () => bill(csv, 'text/csv', query);
      },
    },
    ...bodyCases(
      priceServerRoutes,
      async (_method, path, body, type) => (await price.post(path, body, type)).status,
      ({ path }) => path,
    ),
  ];
}
