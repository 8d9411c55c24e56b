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
import type { PricePlace } from './total/terms.ts';
import { openWhereabouts } from './total/whereabouts.ts';

/** What the routes of the service answer from. */
export type PriceService = {
  prices: OpenPrices;
  sources: readonly Source[];
  tariffs: Tariffs;
  places: Places;
  locate(lat: number, lon: number): Promise<PricePlace | undefined>;
  clock: Clock;
  /** Reads the tariffs and keeps them up to date; whoever asks again waits for the same. */
  readTariffs(): Promise<void>;
  /** Reads the tariffs, then keeps prices up to date too. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** The part of the configuration that does not belong to a server. */
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
  const dataDir = simulatedUrl ? join(PRICE_DATA_DIR, 'simulated') : PRICE_DATA_DIR; // they never meet in one store
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
      reading = undefined; // the next one who asks tries again
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
    locate: openWhereabouts(shippedPlaces),
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
