import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { type PriceConfig, pairsOf } from './config.ts';
import { type OpenPrices, openPrices } from './electricity/open-prices.ts';
import type { Source } from './electricity/source.ts';
import { createSources } from './electricity/sources.ts';
import { openPlaces, type Places, shippedPlaces } from './tariffs/places/places.ts';
import { openTariffs, shippedTariffs, type Tariffs } from './tariffs/tariffs.ts';

/** Everything that the routes of the price service read from. */
export type PriceService = {
  prices: OpenPrices;
  sources: readonly Source[];
  tariffs: Tariffs;
  places: Places;
  clock: Clock;
  /** Reads the tariffs once and keeps them up to date; concurrent calls share the same promise. */
  readTariffs(): Promise<void>;
  /** Reads the tariffs, then keeps prices up to date as well. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** The settings that do not concern the HTTP server. */
export type PriceSettings = Pick<
  PriceConfig,
  | 'PRICE_DATA_DIR'
  | 'ENTSOE_TOKEN'
  | 'ENTSOE_URL'
  | 'PRICE_KEYLESS'
  | 'PRICE_SOURCE_URLS'
  | 'PRICE_SIMULATED_URL'
  | 'FX_URL'
  | 'FX_RATES'
  | 'TARIFF_DIR'
>;

export function openPriceService(settings: PriceSettings, { clock, log }: { clock: Clock; log: Logger }): PriceService {
  const { PRICE_DATA_DIR, ENTSOE_TOKEN: token, PRICE_SIMULATED_URL: simulatedUrl } = settings;
  const dataDir = simulatedUrl ? join(PRICE_DATA_DIR, 'simulated') : PRICE_DATA_DIR; // simulated and real prices never share a store
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const sources = createSources({
    ...(token && { entsoe: { url: settings.ENTSOE_URL, token } }),
    keyless: settings.PRICE_KEYLESS,
    keylessUrls: pairsOf(settings.PRICE_SOURCE_URLS),
    ...(simulatedUrl && { simulatedUrl }),
  });
  const rates = {
    url: settings.FX_URL,
    fixed: Object.fromEntries(Object.entries(pairsOf(settings.FX_RATES)).map(([name, rate]) => [name, Number(rate)])),
  };
  const prices = openPrices({ dataDir, sources, rates, clock, log });
  const tariffs = openTariffs({
    folder: shippedTariffs,
    ...(settings.TARIFF_DIR && { ownFolder: settings.TARIFF_DIR }),
    clock,
    log,
  });
  let reading: Promise<void> | undefined;
  function readTariffs(): Promise<void> {
    reading ??= tariffs.start().catch((error: unknown) => {
      reading = undefined; // the next caller tries again
      throw error;
    });
    return reading;
  }
  return {
    prices,
    sources,
    tariffs,
    places: openPlaces({
      folder: shippedPlaces,
      ...(settings.TARIFF_DIR && { ownFolder: join(settings.TARIFF_DIR, 'places') }),
    }),
    clock,
    readTariffs,
    async start() {
      await readTariffs();
      prices.start();
    },
    async close() {
      tariffs.close();
      await prices.close();
    },
  };
}
