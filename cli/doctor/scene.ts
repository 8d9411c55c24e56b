import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { Problem } from '#contract/problem.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { settingsOf } from '#lib/config/setting.ts';
import { ConfigError, checkConfig, type Env, isGiven } from '#lib/config.ts';
import { type StackState, stateFile } from '#stack/state-file.ts';
import { type ConfigFile, readConfigFile } from '../configuration/config-file.ts';
import { layered, toldMistakes } from '../configuration/configured-env.ts';
import { type Program, programNames, programs } from '../configuration/programs.ts';
import type { Shell } from '../line/command.ts';
import { platformUrl } from '../sign-in/platform-address.ts';
import { readSignIns } from '../sign-in/sign-ins.ts';
import { type Answer, askPlatform, askService } from './answer.ts';

/** What the checks look at: how this machine is configured, and what answers on it. */
export type Scene = {
  [Name in Program]: Static<(typeof programs)[Name]>;
} & {
  version: string;
  clock: Clock;
  /** whether somebody gave a setting, rather than left it to its default */
  isSet(name: string): boolean;
  gatewayDataDir: string;
  /** what a start of everything on this machine wrote about itself; it may have ended since */
  stack: Partial<StackState>;
  /** what answers where a platform on this machine would be */
  ownPlatform: Promise<Answer>;
  /** what answers at the platform that the gateway of this machine is set to, else where somebody is signed in, else here */
  platform: Promise<Answer>;
  /** why that platform was looked at */
  platformFrom: 'CLOUD_URL' | 'sign-in' | 'this machine';
  /** what answers where somebody is signed in, when the gateway is set to another platform */
  signedIn: Promise<Answer> | undefined;
  gatewayAnswer: Promise<Answer>;
  configuration: { path: string | undefined; mistakes: readonly string[] };
};

export async function openScene(shell: Shell, config: string | undefined): Promise<Scene> {
  const { file, failure } = await readFile(config, shell.env);
  const layers = layered(shell.env, file, programNames);
  const found = programNames.map((name) => ({ name, layers, ...checkConfig(programs[name], layers.env) }));
  const configs = Object.fromEntries(
    found.map(({ name, values }) => [name, { ...defaultsOf(name), ...values }]),
  ) as Pick<Scene, Program>;
  const isSet = (name: string): boolean => isGiven(name, layers.env);

  const { DATA_DIR, CLOUD_PORT } = configs.cloud;
  const { GATEWAY_DATA_DIR, GATEWAY_PORT, CLOUD_URL } = configs.gateway;
  const stack = readStack(DATA_DIR);
  const inside = join(DATA_DIR, 'gateway');
  const signedInUrl = await signedInAt(shell);
  const ownUrls = [stack.cloud_url, `http://localhost:${CLOUD_PORT}`];
  const isElsewhere = signedInUrl !== undefined && !ownUrls.includes(signedInUrl);
  const ownPlatform = firstOf(ownUrls);
  return {
    ...configs,
    version: shell.version,
    clock: systemClock,
    isSet,
    gatewayDataDir: !isSet('GATEWAY_DATA_DIR') && existsSync(inside) ? inside : GATEWAY_DATA_DIR,
    stack,
    ownPlatform,
    platform: CLOUD_URL ? askPlatform(CLOUD_URL) : isElsewhere ? askPlatform(signedInUrl) : ownPlatform,
    platformFrom: CLOUD_URL ? 'CLOUD_URL' : isElsewhere ? 'sign-in' : 'this machine',
    signedIn: CLOUD_URL && isElsewhere && CLOUD_URL !== signedInUrl ? askPlatform(signedInUrl) : undefined,
    gatewayAnswer: firstOf([stack.gateway_url, `http://localhost:${GATEWAY_PORT}`]),
    configuration: { path: file?.path, mistakes: [...failure, ...toldMistakes(file, found)] },
  };
}

/** The platform that the commands of this person use; undefined when they have chosen none. */
async function signedInAt(shell: Shell): Promise<string | undefined> {
  try {
    if (shell.env.OHMSTEAD_URL) return platformUrl(shell.env.OHMSTEAD_URL);
    return (await readSignIns(shell)).current;
  } catch (error) {
    if (error instanceof Problem) return undefined; // every other command reports it
    throw error;
  }
}

/** A setting that is wrong counts as its default here; that it is wrong is told. */
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
    return JSON.parse(readFileSync(stateFile(dataDir), 'utf8')) as Partial<StackState>;
  } catch {
    return {}; // it is written at each start, and only a hint
  }
}

/** Of the first address where one of our services answers, else of the last. */
async function firstOf(urls: readonly (string | undefined)[]): Promise<Answer> {
  const answers = await Promise.all([...new Set(urls.filter((url) => url !== undefined))].map(askService));
  return answers.find(({ kind }) => kind === 'ours') ?? answers.at(-1)!;
}
