import { may } from '../access.ts';
import { csvText } from '../csv.ts';
import { routesOf } from '../route.ts';
import { Nullable, NumberIn, type Static, Timestamp, Titled, Type } from '../schema.ts';
import { billRange, billSite } from './bill.ts';

const api = routesOf({
  tag: 'Energy',
  scope: 'read:telemetry',
  access: may('read', 'site', 'params.site_id'),
  problems: ['unprocessable', 'unavailable'],
  otherTypes: ['text/csv'],
});

/** With a smaller share of known intensities, the emissions are not stated. */
export const minCarbonCoveredPct = 95;

export const SiteCarbon = Titled('SiteCarbon', {
  ...billSite,
  from: Timestamp,
  to: Timestamp,
  import_wh: Type.Integer({ description: 'imported in the range' }),
  carbon_g: Nullable(
    Type.Number({
      description: `grams of carbon dioxide; null if the intensity of more than ${100 - minCarbonCoveredPct} % of the imported energy is unknown`,
    }),
  ),
  covered_pct: Nullable(
    NumberIn(0, 100, 'share of the imported energy whose carbon intensity is known; null if nothing was imported'),
  ),
  provider: Nullable(
    Type.String({ description: 'source of the carbon intensities; null if none is configured for the price area' }),
  ),
});
export type SiteCarbon = Static<typeof SiteCarbon>;

/** Formats the emissions of a site as CSV with one row. */
export const carbonCsv = (carbon: SiteCarbon): string =>
  csvText(['from', 'to', 'import_wh', 'carbon_g', 'covered_pct', 'provider'], [carbon]);

export const getSiteCarbon = api.get('/sites/{site_id}/carbon', 'Get the carbon dioxide of the imported energy', {
  description:
    'The imported energy of each hour times the carbon intensity of the price area in that hour. Hours with an unknown intensity are left ' +
    'out and reduce `covered_pct`. The newest intensities are published hours later: the range ends with the last known hour, at most ' +
    'a day before the requested end.',
  query: Type.Object(billRange),
  replies: { 200: SiteCarbon },
});

export const carbonRoutes = api.all;
