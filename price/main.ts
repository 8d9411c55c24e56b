import { systemClock } from '#lib/clock.ts';
import { type Env, isGiven, readConfig } from '#lib/config.ts';
import { lockFolder } from '#lib/folder-lock.ts';
import { listen } from '#lib/listen.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { createPriceServer } from './app.ts';
import { PriceConfig } from './config.ts';
import { openPriceService } from './open-service.ts';

export type PriceOptions = { version: string; log?: Logger };

export type RunningPrice = { url: string; sources: readonly string[]; log: Logger; close(): Promise<void> };

export async function startPrice(env: Env, { version, log: givenLog }: PriceOptions): Promise<RunningPrice> {
  const config = readConfig(PriceConfig, env);
  const log = givenLog ?? createLog({ level: config.LOG_LEVEL, name: 'price' });
  await using opened = new AsyncDisposableStack();
  opened.use(lockFolder(config.PRICE_DATA_DIR));
  const service = openPriceService(config, { clock: systemClock, log });
  opened.defer(() => service.close());
  const app = createPriceServer(config, { service, clock: systemClock, log, version });
  opened.defer(() => app.close());
  await service.start();
  const mayMove = !isGiven('PRICE_PORT', env);
  const port = await listen(app, { host: config.PRICE_HOST, port: config.PRICE_PORT, mayMove, log });
  const url = `http://localhost:${port}`;
  const sources = service.sources.map(({ name }) => name);
  log.info({ url, sources, data: config.PRICE_DATA_DIR }, 'price service started');
  const running = opened.move();
  return { url, sources, log, close: () => running.disposeAsync() };
}
