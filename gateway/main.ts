import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#lib/clock.ts';
import { readConfig } from '#lib/config.ts';
import { lockFolder } from '#lib/folder-lock.ts';
import { listen } from '#lib/http/listen.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { secretFile } from '#lib/secret-file.ts';
import { createGateway } from './app.ts';
import { GatewayConfig } from './config.ts';
import { type Identity, openIdentity } from './identity/identity.ts';
import { announce } from './mdns.ts';

type Env = Record<string, string | undefined>;

export type GatewayOptions = {
  version: string;
  log?: Logger;
  /** what REBOOT=exit and REBOOT=machine do, in the hands of the program around */
  leave?(how: 'exit' | 'machine'): Promise<void>;
};

export type RunningGateway = {
  url: string;
  serial: string;
  localToken: string;
  log: Logger;
  close(): Promise<void>;
};

/** Starts the gateway as the environment says. A reboot starts it anew in place. */
export async function startGateway(
  env: Env,
  { version, log: givenLog, leave }: GatewayOptions,
): Promise<RunningGateway> {
  const config = readConfig(GatewayConfig, env);
  const log = givenLog ?? createLog({ level: config.LOG_LEVEL, name: 'gateway' });
  const dataDir = config.GATEWAY_DATA_DIR;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDir);
  try {
    const identity = await openIdentity(dataDir, config.GATEWAY_SERIAL_PREFIX);
    const localToken = config.LOCAL_TOKEN ?? secretFile(join(dataDir, 'local-token'));
    let mayMove = env.GATEWAY_PORT === undefined;
    let port = config.GATEWAY_PORT;

    const boot = async () => {
      const running = await run(config, { identity, localToken, version, log, reboot, port, mayMove });
      port = running.port; // a reboot comes back where it was
      mayMove = false;
      return running;
    };
    const reboot = async (reason: string): Promise<void> => {
      log.info({ reason, how: config.REBOOT }, 'rebooting');
      if (config.REBOOT !== 'restart' && leave) return leave(config.REBOOT);
      await current.close();
      current = await boot();
    };
    let current = await boot();
    return {
      url: `http://localhost:${port}`,
      serial: identity.serial,
      localToken,
      log,
      async close() {
        await current.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

type Boot = {
  identity: Identity;
  localToken: string;
  version: string;
  log: Logger;
  reboot(reason: string): Promise<void>;
  port: number;
  mayMove: boolean;
};

async function run(config: GatewayConfig, { port: wanted, mayMove, ...deps }: Boot) {
  const { identity, log } = deps;
  const opened = new AsyncDisposableStack();
  try {
    const gateway = await createGateway(config, { ...deps, clock: systemClock });
    opened.defer(() => gateway.stop());
    const port = await listen(gateway.app, { host: config.GATEWAY_HOST, port: wanted, mayMove, log });
    opened.defer(() => gateway.app.close());
    await gateway.start();
    if (config.MDNS) {
      const announcement = await announce({ serial: identity.serial, port, name: config.MDNS_NAME ?? `zap-${identity.serial}`, log });
      opened.defer(() => announcement.close());
    }
    log.info({ port, serial: identity.serial, data: config.GATEWAY_DATA_DIR }, 'gateway started');
    return { port, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
