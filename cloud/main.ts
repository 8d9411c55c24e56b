import { systemClock } from '#lib/clock.ts';
import { readConfig } from '#lib/config.ts';
import { lockFolder } from '#lib/folder-lock.ts';
import { listen } from '#lib/http/listen.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { createCloud } from './app.ts';
import { CloudConfig } from './config.ts';
import { openStore } from './store/store.ts';

type Env = Record<string, string | undefined>;

export type RunningCloud = { url: string; close(): Promise<void> };

export type CloudOptions = { version: string; log?: Logger };

/** Starts the platform as the environment says. */
export async function startCloud(
  env: Env,
  { version, log: givenLog }: CloudOptions,
): Promise<RunningCloud & { log: Logger }> {
  const config = readConfig(CloudConfig, env);
  const log = givenLog ?? createLog({ level: config.LOG_LEVEL, name: 'cloud' });
  const opened = new AsyncDisposableStack();
  try {
    const lock = lockFolder(config.DATA_DIR);
    opened.defer(() => lock.release());
    const store = await openStore({ dataDir: config.DATA_DIR, databaseUrl: config.DATABASE_URL, log });
    opened.defer(() => store.close());
    let url = config.PUBLIC_URL ?? '';
    const { app, upkeep } = await createCloud(config, { store, clock: systemClock, log, version, baseUrl: () => url });
    opened.defer(() => app.close());
    const port = await listen(app, {
      host: config.HOST,
      port: config.CLOUD_PORT,
      mayMove: env.CLOUD_PORT === undefined,
      log,
    });
    const localUrl = `http://localhost:${port}`;
    url ||= localUrl;
    upkeep.start();
    opened.defer(() => upkeep.stop());
    log.info({ url, database: store.kind, data: config.DATA_DIR }, 'cloud started');
    return { url: localUrl, log, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
