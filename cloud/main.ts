import { dayMs } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { ConfigError, type Env, isGiven, readConfig } from '#lib/config.ts';
import { lockFolder } from '#lib/folder-lock.ts';
import { listen } from '#lib/listen.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { secretFile } from '#lib/secret.ts';
import type { CloudDeps } from './app.ts';
import { remoteCalculator } from './bill/bill-calculator.ts';
import { openTransport } from './broker/open-transport.ts';
import { CloudConfig } from './config.ts';
import type { ImportedEnergy } from './energy/enrol.ts';
import { internalTokenFile, markDataPlace, refuseLeftData } from './operator/data-place.ts';
import { openStore } from './store/store.ts';
import { openTelemetry } from './store/telemetry/open.ts';
import { parseServers } from './store/telemetry/postgres/partitions.ts';
import type { Retention } from './store/telemetry/telemetry-store.ts';

export type RunningCloud = {
  url: string;
  mqttUrl: string | undefined;
  /** Enters energy of a time without readings. */
  importEnergy(siteId: string, from: number, ders: readonly ImportedEnergy[]): Promise<void>;
  close(): Promise<void>;
};

export type CloudOptions = {
  version: string;
  log?: Logger;
  openTransport?: typeof openTransport;
  mountMore?: CloudDeps['mountMore'];
  calculator?: CloudDeps['calculator'];
  ownGateways?: CloudDeps['ownGateways'];
};

export async function startCloud(
  env: Env,
  { version, log: givenLog, openTransport: open = openTransport, mountMore, calculator, ownGateways }: CloudOptions,
): Promise<RunningCloud & { log: Logger }> {
  const config = readConfig(CloudConfig, env);
  const log = givenLog ?? createLog({ level: config.LOG_LEVEL, name: 'cloud' });
  const opened = new AsyncDisposableStack();
  try {
    const lock = lockFolder(config.DATA_DIR);
    opened.defer(() => lock.release());
    refuseLeftData(config);
    if (config.BUS_URL && config.BROKER_URL) {
      const mistake = 'BUS_URL and BROKER_URL exclude each other: gateways connect to this process, or to RabbitMQ';
      throw ConfigError.of([mistake]);
    }
    if (config.BROKER_URL && !config.DATABASE_URL)
      log.warn('readings from RabbitMQ are stored in this folder only; several processes need DATABASE_URL');
    const place = { dataDir: config.DATA_DIR, databaseUrl: config.DATABASE_URL, log };
    const partitioning = { servers: parseServers(config.TELEMETRY_URLS), partitions: config.TELEMETRY_PARTITIONS };
    const openReadings = () => openTelemetry({ ...place, ...partitioning, retention: retentionOf(config) });
    const storing = openStore(place);
    const [store, telemetry, { createCloud }] = await all([
      keep(storing, opened),
      keep(config.DATABASE_URL ? storing.then(openReadings) : openReadings(), opened), // a separate file need not wait
      import('./app.ts'), // loads in parallel with the telemetry thread
    ]);
    markDataPlace(config);
    const internalToken = (): string => config.INTERNAL_TOKEN ?? secretFile(internalTokenFile(config.DATA_DIR));
    internalToken(); // creates it if it is missing
    let url = config.PUBLIC_URL ?? '';
    const cloud = await createCloud(config, {
      store,
      telemetry,
      openTransport: (admission) =>
        open(config, admission, { mayMove: !isGiven('MQTT_PORT', env), store, clock: systemClock, log }),
      clock: systemClock,
      log,
      version,
      internalToken,
      baseUrl: () => url,
      mountMore,
      ownGateways,
      calculator: config.PRICE_URL ? remoteCalculator(config.PRICE_URL) : calculator,
    });
    opened.defer(() => cloud.app.close());
    const mayMove = !isGiven('CLOUD_PORT', env);
    const port = await listen(cloud.app, { host: config.HOST, port: config.CLOUD_PORT, mayMove, log });
    const localUrl = `http://localhost:${port}`;
    url ||= localUrl;
    opened.defer(() => cloud.stop());
    await cloud.start();
    const { mqtt } = cloud.transport.urls;
    log.info({ url, mqtt, database: store.kind, data: config.DATA_DIR }, 'cloud started');
    return {
      url: localUrl,
      mqttUrl: mqtt,
      async importEnergy(siteId, from, ders) {
        const { importDays } = await import('./energy/enrol.ts');
        await importDays(store, siteId, from, ders);
      },
      log,
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function keep<T extends { close(): Promise<void> }>(
  opening: Promise<T>,
  opened: AsyncDisposableStack,
): Promise<T> {
  const resource = await opening;
  opened.defer(() => resource.close());
  return resource;
}

/** Like Promise.all, but waits for all promises even if one fails. */
async function all<T extends readonly unknown[]>(promises: readonly [...T]): ReturnType<typeof Promise.all<T>> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

const retentionOf = ({ RAW_DAYS, MINUTES_DAYS, HOURS_DAYS }: CloudConfig): Retention => ({
  rawMs: RAW_DAYS * dayMs,
  minutesMs: MINUTES_DAYS * dayMs,
  hoursMs: HOURS_DAYS === undefined ? Number.POSITIVE_INFINITY : HOURS_DAYS * dayMs,
});
