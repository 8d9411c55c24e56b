import type { Band } from './distribution.ts';
import type { History, Span } from './history.ts';
import { forecastLoad } from './load.ts';
import { forecastPresence } from './presence.ts';
import { forecastPrices } from './prices.ts';
import { forecastSun, type GeoPosition } from './sun.ts';

/** The knowledge about a site at the moment of planning; each history ends there, except those of weather and prices. */
export type SiteKnowledge = {
  timezone: string;
  load: History;
  solar: History;
  /** market prices as far as they are published */
  prices: History;
  /** by car: 1 while it was connected */
  cars?: Readonly<Record<string, History>>;
  position?: GeoPosition | undefined;
  temperature?: History | undefined;
  irradiance?: History | undefined;
};

type SiteForecast = {
  load: Band[];
  solar: Band[];
  prices: { price: number; isAssumed: boolean }[];
  /** by car: chance that it is connected, NaN if there is nothing to learn from */
  present: Record<string, number[]>;
};

/** Forecasts everything that a plan of these spans needs. */
export function forecastSite(known: SiteKnowledge, spans: readonly Span[]): SiteForecast {
  const { timezone, position, temperature, irradiance, cars = {} } = known;
  const load = forecastLoad(known.load, { timezone, temperature });
  const sun = forecastSun(known.solar, { timezone, position, irradiance });
  return {
    load: spans.map((span) => load(span).band()),
    solar: spans.map((span) => sun(span).band()),
    prices: spans.map(forecastPrices(known.prices, timezone)),
    present: Object.fromEntries(
      Object.entries(cars).map(([id, history]) => [id, spans.map(forecastPresence(history, timezone))]),
    ),
  };
}
