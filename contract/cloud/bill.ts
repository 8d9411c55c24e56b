import { may } from '../access.ts';
import { csvText } from '../csv.ts';
import { Bill, Peak } from '../price/total.ts';
import { routesOf } from '../route.ts';
import { Nullable, NumberIn, OneOf, optional, type Static, Text, Timestamp, Titled, Type } from '../schema.ts';

const api = routesOf({
  tag: 'Bill',
  scope: 'read:telemetry',
  access: may('read', 'site', 'params.site_id'),
  problems: ['unprocessable', 'unavailable'],
  otherTypes: ['text/csv'],
});

/** The longest range of a bill. */
export const maxBillDays = 400;

const instant = (description: string) =>
  Text(
    40,
    `${description}; YYYY-MM-DD for a local day, or RFC 3339, Unix seconds or milliseconds on a quarter of an hour`,
  );

/** The range of a bill, as a query. */
export const billRange = optional({
  month: Type.String({
    pattern: '^[12]\\d{3}-\\d{2}$',
    description: 'a month of the time zone of the site, YYYY-MM; by default the current one',
  }),
  from: instant('start of the range, instead of a month'),
  to: instant('end of the range; by default that of the month in which it starts'),
  format: OneOf(['json', 'csv']),
});

export const billSite = {
  site_id: Type.String(),
  timezone: Type.String({ description: 'IANA name; UTC when the site has none' }),
};

const Projected = Titled('ProjectedBill', {
  total: Type.Number({ description: 'of the whole range' }),
  assumed: Type.Array(Type.String(), { description: 'what was assumed, one sentence each' }),
});

export const SiteBill = Titled('SiteBill', {
  ...billSite,
  ...Bill.properties,
  coverage_pct: NumberIn(0, 100, 'share of the time in which the energy was measured'),
  estimated_wh: Type.Integer({
    description: 'energy that was spread over gaps or derived, as in the energy of the site',
  }),
  ...optional({
    peaks: Type.Array(Peak, { description: 'while the range is running: the peaks that count so far' }),
    projected: Projected,
  }),
});
export type SiteBill = Static<typeof SiteBill>;

const billColumns = ['kind', 'name', 'from', 'to', 'quantity', 'unit', 'price', 'amount'] as const;

/** Formats the lines of a bill as CSV; the last row is the total. */
export const billCsv = ({ lines, total, currency }: Pick<SiteBill, 'lines' | 'total' | 'currency'>): string =>
  csvText<(typeof billColumns)[number]>(billColumns, [...lines, { kind: 'total', unit: currency, amount: total }]);

export const getSiteBill = api.get('/sites/{site_id}/bill', 'Get the bill of a site', {
  description:
    'The energy of the site, at the prices of its area, contract and grid tariff: the lines of POST /price/bill. A range that is not over is ' +
    'billed until now, with a projected total of the whole range. Without a contract: no markup, export at the spot price.',
  query: Type.Object(billRange),
  replies: { 200: SiteBill },
});

const money = (description: string) => Type.Number({ description });

export const SiteSavings = Titled('SiteSavings', {
  ...billSite,
  from: Timestamp,
  to: Timestamp,
  currency: Type.String(),
  actual: money('the total of the bill'),
  without_battery: money('the total if the batteries had not been there'),
  without_solar: money('the total if nothing had been generated, and the batteries had run as they did'),
  self_consumption: Nullable(NumberIn(0, 100, 'percent: 100 x (1 - export / solar); null without solar energy')),
  saved: Type.Object({ battery: money('without_battery - actual'), solar: money('without_solar - actual') }),
  notes: Type.Array(Type.String(), { description: 'remarks about the prices, one sentence each' }),
});
export type SiteSavings = Static<typeof SiteSavings>;

/** Formats savings as CSV with one row. */
export const savingsCsv = ({ saved, ...row }: SiteSavings): string =>
  csvText(
    [
      ...(['from', 'to', 'currency', 'actual', 'without_battery', 'without_solar'] as const),
      ...(['self_consumption', 'saved_battery', 'saved_solar'] as const),
    ],
    [{ ...row, saved_battery: saved.battery, saved_solar: saved.solar }],
  );

export const getSiteSavings = api.get('/sites/{site_id}/savings', 'Get what solar panels and batteries saved', {
  description:
    'Bills the same range again without the batteries, and without the solar energy, by the quarter of an hour; contract, tariff and ' +
    'prices stay the same. The range ends now at the latest.',
  query: Type.Object(billRange),
  replies: { 200: SiteSavings },
});

export const billRoutes = api.all;
