import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { startPrice } from '#price/main.ts';
import { startMarket } from '#sim/market/market.ts';
import { startCarbonPublishers } from './carbon-publishers.ts';

/** The price service on any free port, with a simulated market and publishers of carbon intensities, at the time of the day. */
export async function listenWithMarket(dataDir: string): Promise<AsyncDisposable & { url: string }> {
  const market = await startMarket({ clock: systemClock });
  const publishers = await startCarbonPublishers({ clock: systemClock });
  const service = await startPrice(
    {
      PRICE_PORT: '0',
      PRICE_DATA_DIR: dataDir,
      PRICE_SIMULATED_URL: market.entsoeUrl,
      FX_URL: market.ratesUrl,
      ...publishers.env,
    },
    { version: '0.0.0', log: createLog({ level: 'silent', name: 'price' }) },
  );
  return {
    url: service.url,
    async [Symbol.asyncDispose]() {
      await service.close();
      await market.close();
      await publishers[Symbol.asyncDispose]();
    },
  };
}
