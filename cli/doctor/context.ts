import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import { settingsOf } from '#lib/config/setting.ts';
import { ConfigError, checkConfig, type Env, isGiven } from '#lib/config.ts';
import { type StackState, stateFile } from '#stack/state-file.ts';
import { type ConfigFile, describeMistakes, layerEnv, readConfigFile } from '../configuration/configured-env.ts';
import { type Program, programNames, programs } from '../configuration/programs.ts';
import type { Shell } from '../line/command.ts';
import { normalizePlatformUrl, readSignIns } from '../sign-in/sign-ins.ts';
import { probePlatform, probeService, type ServiceProbe } from './probe.ts';

/** The input of the checks: the configuration of this machine and the services on it. */
export type DoctorContext = Awaited<ReturnType<typeof openContext>>;

export type PlatformOrigin = 'CLOUD_URL' | 'sign-in' | 'this machine';

type Configs = { [Name in Program]: Static<(typeof programs)[Name]> };

export async function openContext(shell: Shell, config: string | undefined) {
  const { file, failure } = await readFile(config, shell.env);
  const layers = layerEnv(shell.env, file, programNames);
  const found = programNames.map((name) => ({ name, layers, ...checkConfig(programs[name], layers.env) }));
  const configs = Object.fromEntries(
    found.map(({ name, values }) => [name, { ...defaultsOf(name), ...values }]),
  ) as Configs;
  /** Returns whether a setting was given, instead of its default. */
  const isSet = (name: string): boolean => isGiven(name, layers.env);

  const { DATA_DIR, CLOUD_PORT } = configs.cloud;
  const { GATEWAY_DATA_DIR, GATEWAY_PORT, CLOUD_URL } = configs.gateway;
  const stack = readStack(DATA_DIR); // of the last `ohmstead up`, which may have stopped since
  const inside = join(DATA_DIR, 'gateway');
  const signedInUrl = await signedInAt(shell);
  const ownUrl = `http://localhost:${CLOUD_PORT}`;
  const elsewhere = [stack.cloud_url, ownUrl].includes(signedInUrl) ? undefined : signedInUrl;
  const ownPlatform = probeEither(stack.cloud_url, ownUrl);
  const platformFrom: PlatformOrigin = CLOUD_URL ? 'CLOUD_URL' : elsewhere ? 'sign-in' : 'this machine';
  const platformUrl = CLOUD_URL ?? elsewhere;
  return {
    ...configs,
    version: shell.version,
    clock: systemClock,
    isSet,
    gatewayDataDir: !isSet('GATEWAY_DATA_DIR') && existsSync(inside) ? inside : GATEWAY_DATA_DIR,
    stack,
    /** the service at the address of a platform on this machine */
    ownPlatform,
    /** the platform of the gateway on this machine, else of the sign-in, else on this machine */
    platform: platformUrl ? probePlatform(platformUrl) : ownPlatform,
    platformFrom,
    /** the platform of the sign-in, if the gateway uses another one */
    signedIn: CLOUD_URL && elsewhere && CLOUD_URL !== elsewhere ? probePlatform(elsewhere) : undefined,
    gatewayAnswer: probeEither(stack.gateway_url, `http://localhost:${GATEWAY_PORT}`),
    configuration: { path: file?.path, mistakes: [...failure, ...describeMistakes(file, found)] },
  };
}

/** Returns the platform that commands use; undefined if none was chosen. */
async function signedInAt(shell: Shell): Promise<string | undefined> {
  try {
    if (shell.env.OHMSTEAD_URL) return normalizePlatformUrl(shell.env.OHMSTEAD_URL);
    return (await readSignIns(shell)).current;
  } catch (error) {
    if (error instanceof Problem) return undefined; // every other command reports it
    throw error;
  }
}

/** Returns the defaults, which replace invalid settings; those are reported separately. */
const defaultsOf = (name: Program): Record<string, unknown> =>
  Object.fromEntries(settingsOf(programs[name]).map(([setting, { default: fallback }]) => [setting, fallback]));

async function readFile(
  config: string | undefined,
  env: Env,
): Promise<{ file?: ConfigFile | undefined; failure: string[] }> {
  try {
    return { file: await readConfigFile(config, env), failure: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { failure: [error.message] };
  }
}

function readStack(dataDir: string): Partial<StackState> {
  try {
    return JSON.parse(readFileSync(stateFile(dataDir), 'utf8'));
  } catch {
    return {}; // only a hint; every start writes it again
  }
}

/** Probes the address in the state file if it is one of our services, else the configured one. */
async function probeEither(stackUrl: string | undefined, ownUrl: string): Promise<ServiceProbe> {
  const stack = stackUrl === undefined || stackUrl === ownUrl ? undefined : probeService(stackUrl);
  const [atStack, own] = await Promise.all([stack, probeService(ownUrl)]);
  return atStack?.kind === 'ours' ? atStack : own;
}
