import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CarbonIntensity } from '#contract/price/carbon.ts';
import type { MarginalPrice } from '#contract/price/marginal.ts';
import type { Bill, TotalPrice } from '#contract/price/total.ts';
import type { Clock } from '#lib/clock.ts';
import { pairsOf } from '#lib/config.ts';
import type { Logger } from '#lib/log.ts';
import { openCarbon } from './carbon/open-carbon.ts';
import { carbonIntensity } from './carbon/routes.ts';
import { createCarbonSources } from './carbon/sources.ts';
import type { PriceConfig } from './config.ts';
import { openPrices } from './electricity/open-prices.ts';
import { createSources } from './electricity/sources.ts';
import { createUpstream } from './electricity/upstream.ts';
import { openPlaces, shippedPlaces } from './tariffs/places/places.ts';
import { openTariffs, shippedTariffs } from './tariffs/tariffs.ts';
import { updatesFolderName } from './tariffs/update-state.ts';
import { createTariffUpdates } from './tariffs/update-tariffs.ts';
import { makeBill } from './total/bill.ts';
import type { BillRequest } from './total/contract-spans.ts';
import { type MarginalRequest, marginalPrice } from './total/marginal.ts';
import { type TotalPriceQuery, totalPrice } from './total/total-price.ts';

const updateTimeoutMs = 30_000;

export type PriceService = ReturnType<typeof openPriceService>;

export function openPriceService(settings: PriceConfig, { clock, log }: { clock: Clock; log: Logger }) {
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
  const carbonSettings = {
    ids: settings.CARBON_SOURCES.split(',').filter(Boolean),
    urls: pairsOf(settings.CARBON_SOURCE_URLS),
    electricityMapsToken: settings.ELECTRICITYMAPS_TOKEN,
  };
  const carbonSources = createCarbonSources(carbonSettings, log);
  const carbon =
    carbonSources.length > 0 ? openCarbon({ dataDir: PRICE_DATA_DIR, sources: carbonSources, clock, log }) : undefined;
  const updatesFolder = join(PRICE_DATA_DIR, updatesFolderName);
  const tariffs = openTariffs({
    folder: shippedTariffs,
    ...(settings.TARIFF_DIR && { ownFolder: settings.TARIFF_DIR }),
    updatesFolder,
    clock,
    log,
  });
  const updates = settings.TARIFF_UPDATES
    ? createTariffUpdates({
        catalogueUrl: settings.TARIFF_CATALOGUE_URL,
        folder: updatesFolder,
        upstream: createUpstream(undefined, updateTimeoutMs),
        book: tariffs.book,
        onWritten: tariffs.scan,
        clock,
        log,
      })
    : undefined;
  const places = openPlaces({
    folder: shippedPlaces,
    ...(settings.TARIFF_DIR && { ownFolder: join(settings.TARIFF_DIR, 'places') }),
  });
  let reading: Promise<void> | undefined;
  const startTariffs = async (): Promise<void> => {
    await tariffs.start();
    updates?.start();
  };
  /** Reads the tariffs once and keeps them up to date; concurrent calls share the same promise. */
  function readTariffs(): Promise<void> {
    reading ??= startTariffs().catch((error: unknown) => {
      reading = undefined; // the next caller tries again
      throw error;
    });
    return reading;
  }
  return {
    prices,
    sources,
    carbon,
    tariffs,
    updates,
    places,
    clock,
    readTariffs,
    /** Calculates a bill, as POST /price/bill does. */
    async bill(body: BillRequest): Promise<Bill> {
      await readTariffs();
      return makeBill(body, { prices, book: tariffs.book, places, clock });
    },
    /** Returns total prices, as GET /price/total does. */
    async totalPrices(query: TotalPriceQuery): Promise<TotalPrice> {
      await readTariffs();
      return JSON.parse(await totalPrice(query, { prices, book: tariffs.book, places, clock }));
    },
    /** Returns the carbon intensities of an area, as GET /price/carbon/{area} does. */
    carbonIntensity: (request: { area: string; from: string; to: string }): Promise<CarbonIntensity> =>
      carbonIntensity(request, { carbon, clock }),
    /** Returns the price area at a position; undefined outside the countries with known areas. */
    async areaAt(lat: number, lon: number): Promise<string | undefined> {
      return (await places.findZone(lat, lon))?.zone;
    },
    /** Returns marginal prices, as POST /price/marginal does. */
    async marginalPrice(body: MarginalRequest): Promise<MarginalPrice> {
      await readTariffs();
      return marginalPrice(body, { prices, book: tariffs.book, places, clock });
    },
    /** Reads the tariffs, then keeps prices up to date as well. */
    async start(): Promise<void> {
      await readTariffs();
      prices.start();
    },
    async close(): Promise<void> {
      updates?.stop();
      tariffs.close();
      await prices.close();
      await carbon?.close();
    },
  };
}
