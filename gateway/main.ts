import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#lib/clock.ts';
import { type Env, isGiven, readConfig } from '#lib/config.ts';
import { lockFolder } from '#lib/folder-lock.ts';
import { listen } from '#lib/listen.ts';
import { type DestinationStream, type Logger, standardOutput } from '#lib/log.ts';
import { secretFile } from '#lib/secret.ts';
import { createGateway, type GatewayDeps } from './app.ts';
import { GatewayConfig } from './config.ts';
import { openIdentity } from './identity/identity.ts';
import { createGatewayLog } from './log.ts';
import { announce } from './mdns.ts';
import { finishReset } from './system/factory-reset.ts';

const restartMs = 1000;

export type GatewayOptions = {
  version: string;
  /** standard output when left out */
  logTo?: DestinationStream;
  /** carries out REBOOT=exit and REBOOT=machine */
  leave?(how: 'exit' | 'machine'): Promise<void>;
};

export type RunningGateway = {
  url: string;
  serial: string;
  localToken: string;
  log: Logger;
  close(): Promise<void>;
};

/** Starts the gateway with the settings of the environment. A reboot restarts it in this process. */
export async function startGateway(env: Env, options: GatewayOptions): Promise<RunningGateway> {
  const config = readConfig(GatewayConfig, env);
  const { log, recent, openStream } = createGatewayLog(config.LOG_LEVEL, options.logTo ?? standardOutput());
  const dataDir = config.GATEWAY_DATA_DIR;
  const lock = lockFolder(dataDir);
  try {
    if (await finishReset(dataDir)) log.warn('an interrupted factory reset was finished');
    const identity = await openIdentity(dataDir, config.GATEWAY_SERIAL_PREFIX);
    const boot = {
      identity,
      version: options.version,
      log,
      recentLog: recent,
      logStream: openStream(identity.serial),
      reboot,
    };
    let current = await run(config, { ...boot, port: config.GATEWAY_PORT, mayMove: !isGiven('GATEWAY_PORT', env) });
    let rebooting = Promise.resolve();
    const closing = new AbortController();

    async function reboot(reason: string): Promise<void> {
      log.info({ reason, how: config.REBOOT }, 'rebooting');
      if (config.REBOOT !== 'restart' && options.leave) return options.leave(config.REBOOT);
      rebooting = restart();
      await rebooting;
    }

    /** Restarts on the same port, and retries until it succeeds. */
    async function restart(): Promise<void> {
      const { port } = current;
      await current.close().catch((error: unknown) => {
        log.error({ err: error }, 'failed to close all of the gateway; restarting it anyway');
      });
      while (!closing.signal.aborted) {
        try {
          await finishReset(dataDir);
          current = await run(config, { ...boot, port, mayMove: false });
          return;
        } catch (error) {
          log.error({ err: error }, 'failed to restart the gateway; trying again');
          await sleep(restartMs);
        }
      }
    }

    return {
      url: `http://localhost:${current.port}`,
      serial: identity.serial,
      localToken: current.localToken,
      log,
      async close() {
        closing.abort();
        await rebooting;
        await current.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function run(
  config: GatewayConfig,
  { port: wanted, mayMove, ...deps }: Omit<GatewayDeps, 'clock' | 'localToken'> & { port: number; mayMove: boolean },
) {
  const { identity, log } = deps;
  const opened = new AsyncDisposableStack();
  try {
    const localToken = config.LOCAL_TOKEN ?? secretFile(join(config.GATEWAY_DATA_DIR, 'local-token'));
    const gateway = await createGateway(config, { ...deps, localToken, clock: systemClock });
    opened.defer(() => gateway.stop());
    await gateway.start(); // before a request can add a device, which would then be loaded from disk a second time
    const port = await listen(gateway.app, { host: config.GATEWAY_HOST, port: wanted, mayMove, log });
    opened.defer(() => gateway.app.close());
    if (config.MDNS) {
      const announcement = await announce({ serial: identity.serial, port, name: config.MDNS_NAME, log });
      opened.defer(() => announcement.close());
    }
    log.info({ port, serial: identity.serial, data: config.GATEWAY_DATA_DIR }, 'gateway started');
    return { port, localToken, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
