import { join } from 'node:path';
import { CloudConfig } from '#cloud/config.ts';
import { type CloudOptions, type RunningCloud, startCloud } from '#cloud/main.ts';
import { systemClock } from '#lib/clock.ts';
import { type Env, readConfig, withFallbacks } from '#lib/config.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { PriceConfig } from '#price/config.ts';

/** The platform with the price service on its address. Prices are asked for, and tariffs read, when somebody wants them. */
export async function startCloudWithPrices(
  env: Env,
  { version, mountMore }: Pick<CloudOptions, 'version' | 'mountMore'>,
): Promise<RunningCloud & { log: Logger }> {
  const { LOG_LEVEL, DATA_DIR } = readConfig(CloudConfig, env);
  const settings = readConfig(PriceConfig, withFallbacks(env, { PRICE_DATA_DIR: join(DATA_DIR, 'price') }));
  const log = createLog({ level: LOG_LEVEL, name: 'cloud' });
  const opened = new AsyncDisposableStack();
  try {
    const cloud = await startCloud(env, {
      version,
      log,
      async mountMore(app, door) {
        // Loaded here: the platform has threads to start first, which come up meanwhile.
        const { openPriceService } = await import('#price/open-service.ts');
        const { mountPrices } = await import('#price/app.ts');
        const service = openPriceService(settings, { clock: systemClock, log });
        opened.defer(() => service.close());
        service.prices.start();
        if (settings.TARIFF_DIR) await service.readTariffs(); // whoever wrote some hears at a start what is wrong with them
        mountPrices(app, door, service, version);
        await mountMore?.(app, door);
      },
    });
    return {
      ...cloud,
      async close() {
        await cloud.close();
        await opened.disposeAsync();
      },
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
