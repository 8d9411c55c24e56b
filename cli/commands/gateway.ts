import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '#contract/problem.ts';
import { GatewayConfig } from '#gateway/config.ts';
import { type Env, readConfig } from '#lib/config.ts';
import type { Logger } from '#lib/log.ts';
import { configOption, configuredEnv } from '../configuration/configured-env.ts';
import { command, type OptionValues, type Shell } from '../line/command.ts';
import { buildPages } from '../server/build-pages.ts';
import { closeInTime, keepRunning, shutdownMs } from '../server/keep-running.ts';
import { claimCommands } from './gateway-claim.ts';
import { findCommands } from './gateway-find.ts';
import { registryCommands } from './gateway-list.ts';

const optionsWith = (dataHelp: string) => ({ config: configOption, data: { value: 'DIR', help: dataHelp } }) as const;

type GatewayOptions = OptionValues<ReturnType<typeof optionsWith>>;

const gatewayEnv = (shell: Shell, { config, data }: GatewayOptions): Promise<Env> =>
  configuredEnv(shell, { config, programs: ['gateway'], set: { GATEWAY_DATA_DIR: data } });

const gateway = command('gateway', {
  summary: 'Run the gateway of a home until Ctrl-C or SIGTERM',
  options: optionsWith('data folder; overrides GATEWAY_DATA_DIR'),
  environment: GatewayConfig,
  examples: ['gateway', 'gateway --data /var/lib/ohmstead-gateway', 'gateway --config /etc/ohmstead.yaml'],
  async run({ options }, shell) {
    const env = await gatewayEnv(shell, options);
    const { startGateway } = await import('#gateway/main.ts'); // loaded only by this command
    const running = await startGateway(env, {
      version: shell.version,
      async leave(how) {
        await closeInTime(running);
        if (how === 'machine') await rebootMachine(running.log);
        process.exit(0); // the service manager starts it again
      },
    });
    void buildPages(running.log);
    const { LOCAL_API, GATEWAY_DATA_DIR } = readConfig(GatewayConfig, env);
    const rows = [
      ['Ohmstead gateway', shell.version],
      ['Serial', running.serial],
      ['Page', running.url],
      ['API pages', `${running.url}/docs`],
      ['Data', resolve(GATEWAY_DATA_DIR)],
      ['Local token', LOCAL_API === 'guarded' ? running.localToken : 'run ohmstead gateway token'],
    ];
    keepRunning(running, rows, shell);
  },
});

const token = command('gateway token', {
  summary: 'Print the local token of the gateway on this machine',
  options: optionsWith('data folder of the gateway or of ohmstead up; overrides GATEWAY_DATA_DIR'),
  environment: GatewayConfig,
  examples: ['gateway token', 'gateway token --data /var/lib/ohmstead-gateway'],
  async run({ options }, shell) {
    const env = await gatewayEnv(shell, options);
    const { LOCAL_TOKEN, GATEWAY_DATA_DIR } = readConfig(GatewayConfig, env);
    shell.stdout.write(`${LOCAL_TOKEN ?? readToken(resolve(GATEWAY_DATA_DIR))}\n`);
  },
});

function readToken(dataDir: string): string {
  const paths = [join(dataDir, 'local-token'), join(dataDir, 'gateway', 'local-token')]; // the second for ohmstead up
  const path = paths.find((each) => existsSync(each));
  if (!path) {
    throw new Problem(
      'not_found',
      `No gateway has run in ${dataDir}. Run this on the machine of the gateway and give its data folder with --data.`,
    );
  }
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new Problem('forbidden', `Cannot read ${path}; run this as the user of the gateway.`, {}, { cause });
  }
}

const rebootMachine = (log: Logger): Promise<unknown> =>
  promisify(execFile)('systemctl', ['reboot'], { timeout: shutdownMs }).catch((error: unknown) => {
    log.error({ err: error }, 'failed to reboot the machine; only the gateway restarts');
  });

export const commands = [gateway, token, ...findCommands, ...claimCommands, ...registryCommands];
