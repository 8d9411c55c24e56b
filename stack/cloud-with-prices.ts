import { join } from 'node:path';
import { CloudConfig } from '#cloud/config.ts';
import { type CloudOptions, type RunningCloud, startCloud } from '#cloud/main.ts';
import { systemClock } from '#lib/clock.ts';
import { readConfig } from '#lib/config.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { mountPrices } from '#price/app.ts';
import { PriceConfig } from '#price/config.ts';
import { openPriceService } from '#price/open-service.ts';

type Env = Record<string, string | undefined>;

/** The platform with the price service on its address. Prices are asked for, and tariffs read, when somebody wants them. */
export async function startCloudWithPrices(
  env: Env,
  { version, mountMore }: Pick<CloudOptions, 'version' | 'mountMore'>,
): Promise<RunningCloud & { log: Logger }> {
  const { LOG_LEVEL, DATA_DIR } = readConfig(CloudConfig, env);
  const settings = readConfig(PriceConfig, { PRICE_DATA_DIR: join(DATA_DIR, 'price'), ...env });
  const log = createLog({ level: LOG_LEVEL, name: 'cloud' });
  const service = openPriceService(settings, { clock: systemClock, log });
  try {
    service.prices.start();
    if (settings.TARIFF_DIR) await service.readTariffs(); // whoever wrote some hears at a start what is wrong with them
    const cloud = await startCloud(env, {
      version,
      log,
      mountMore(app, door) {
        mountPrices(app, door, service, version);
        mountMore?.(app, door);
      },
    });
    return {
      ...cloud,
      async close() {
        await cloud.close();
        await service.close();
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}
