import { join } from 'node:path';
import { CloudConfig } from '#cloud/config.ts';
import { type CloudOptions, type RunningCloud, startCloud } from '#cloud/main.ts';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import { type Env, readConfig, withFallbacks } from '#lib/config.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { PriceConfig } from '#price/config.ts';
import type { PriceService } from '#price/open-service.ts';

/** Starts the platform with the price service on the same address. Prices and tariffs are loaded on first use. */
export async function startCloudWithPrices(
  env: Env,
  { version, mountMore, ownGateways }: Pick<CloudOptions, 'version' | 'mountMore' | 'ownGateways'>,
): Promise<RunningCloud & { log: Logger }> {
  const { LOG_LEVEL, DATA_DIR } = readConfig(CloudConfig, env);
  const settings = readConfig(PriceConfig, withFallbacks(env, { PRICE_DATA_DIR: join(DATA_DIR, 'price') }));
  const log = createLog({ level: LOG_LEVEL, name: 'cloud' });
  await using opened = new AsyncDisposableStack();
  let prices: PriceService | undefined;
  function started(): PriceService {
    if (!prices) throw new Problem('unavailable', 'The price service is starting.', { retryAfterSeconds: 2 });
    return prices;
  }
  const cloud = await startCloud(env, {
    version,
    log,
    ownGateways,
    calculator: {
      async bill(body) {
        return started().bill(body);
      },
      async prices(query) {
        return started().totalPrices(query);
      },
      async marginalPrice(body) {
        return started().marginalPrice(body);
      },
      async carbon(request) {
        return started().carbonIntensity(request);
      },
      async areaAt(lat, lon) {
        return started().areaAt(lat, lon);
      },
    },
    async mountMore(app, door) {
      // Imported here, while the threads of the platform start.
      const { openPriceService } = await import('#price/open-service.ts');
      const { mountPrices } = await import('#price/app.ts');
      const service = openPriceService(settings, { clock: systemClock, log });
      prices = service;
      opened.defer(() => service.close());
      service.prices.start();
      if (settings.TARIFF_DIR)
        await service.readTariffs(); // reports mistakes in the operator's own tariffs at start
      else if (settings.TARIFF_UPDATES)
        void service.readTariffs().catch((err: unknown) => log.warn({ err }, 'tariffs not read'));
      mountPrices(app, door, service, version);
      await mountMore?.(app, door);
    },
  });
  const service = opened.move();
  service.defer(() => cloud.close()); // first
  return { ...cloud, close: () => service.disposeAsync() };
}
