import { routesOf } from '../route.ts';
import { Nullable, OneOf, optional, type Static, Text, Timestamp, Titled, Type } from '../schema.ts';
import { hourMs } from '../time.ts';

const api = routesOf({ tag: 'Carbon intensity', access: 'public' });

const CarbonHour = Titled('CarbonHour', {
  start: Timestamp,
  end: Timestamp,
  intensity: Type.Number({ description: 'mean of the hour' }),
});
export type CarbonHour = Static<typeof CarbonHour>;

export const CarbonIntensity = Titled('CarbonIntensity', {
  area: Type.String({ description: 'as requested' }),
  unit: OneOf(['g/kWh'], { description: 'grams of carbon dioxide per kilowatt-hour, as the source counts them' }),
  intervals: Type.Array(CarbonHour, { description: 'UTC hours with a known intensity' }),
  metadata: Type.Object({
    provider: Type.String(),
    resolved_area: Type.String(),
    fetched_at: Nullable(
      Type.String({ format: 'date-time', description: 'last request to the source; null if none was needed' }),
    ),
    total_points: Type.Integer(),
    missing_hours: Type.Integer({ description: 'past hours of the range without a known intensity' }),
  }),
});
export type CarbonIntensity = Static<typeof CarbonIntensity>;

const instant = (description: string) =>
  Text(40, `${description}; RFC 3339, Unix seconds or milliseconds, or YYYY-MM-DD for the start of a market day`);

export const getCarbonIntensity = api.get('/price/carbon/{area}', 'Get the carbon intensity of electricity', {
  description:
    'Measured carbon dioxide per kilowatt-hour of the electricity in an area, for every UTC hour that overlaps the range. ' +
    'Forecasts and estimates are left out. ' +
    'The operator of the service chooses the sources (CARBON_SOURCES); an area without a source is 404.',
  params: Type.Object({ area: Type.String() }),
  query: Type.Object(
    optional({
      from: instant('start of the range; today by default'),
      to: instant('end of the range, at most 366 days after the start; now by default'),
    }),
  ),
  replies: { 200: CarbonIntensity },
  problems: ['not_found', 'unprocessable', 'unavailable'],
  conditional: true,
});

export const carbonRoutes = [getCarbonIntensity];

/** Emissions of imported energy, with the share of the energy whose carbon intensity is known. */
export type ImportedCarbon = {
  /** null if the intensity of all imports is unknown */
  carbon_g: number | null;
  /** 0 to 100; null if nothing was imported */
  covered_pct: number | null;
};

type Imports = readonly { start: string; end: string; import_wh: number }[];

/** Calculates the emissions of imports. An interval must lie within a UTC hour; longer ones count as not covered. */
export function carbonOfImports(imports: Imports, hours: readonly CarbonHour[]): ImportedCarbon {
  const intensities = new Map(hours.map(({ start, intensity }) => [Date.parse(start), intensity]));
  let carbonMg = 0; // watt-hours times grams per kilowatt-hour
  let importWh = 0;
  let coveredWh = 0;
  for (const { start, end, import_wh } of imports) {
    importWh += import_wh;
    const hour = Math.floor(Date.parse(start) / hourMs) * hourMs;
    const intensity = Date.parse(end) <= hour + hourMs ? intensities.get(hour) : undefined;
    if (intensity === undefined) continue;
    coveredWh += import_wh;
    carbonMg += import_wh * intensity;
  }
  return {
    carbon_g: importWh > 0 && coveredWh === 0 ? null : carbonMg / 1000,
    covered_pct: importWh === 0 ? null : (100 * coveredWh) / importWh,
  };
}
