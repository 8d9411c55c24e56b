import { existsSync, mkdirSync } from 'node:fs';
import { CloudConfig } from '#cloud/config.ts';
import type { OperatorDeps } from '#cloud/operator/audit.ts';
import { refuseLeftData } from '#cloud/operator/data-place.ts';
import { openStore, sqliteFile } from '#cloud/store/store.ts';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import type { Env } from '#lib/config.ts';
import { readConfig } from '#lib/config.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { configOption } from '../configuration/config-file.ts';
import { configuredEnv } from '../configuration/configured-env.ts';
import type { Program } from '../configuration/programs.ts';
import type { Option, Shell } from '../line/command.ts';

/** How the command line tells which platform is meant. */
export const platformOptions = {
  config: configOption,
  data: { value: 'DIR', says: 'data folder, instead of DATA_DIR' },
} as const satisfies Record<string, Option>;

type PlatformOptions = { config: string | undefined; data: string | undefined };

/** The environment of the platform and of what runs in its process. */
export const platformEnv = (
  shell: Shell,
  { config, data }: PlatformOptions,
  besides: readonly Program[] = [],
): Promise<Env> => configuredEnv(shell, { config, programs: ['cloud', ...besides], set: { DATA_DIR: data } });

export const platformConfig = async (shell: Shell, options: PlatformOptions): Promise<CloudConfig> =>
  readConfig(CloudConfig, await platformEnv(shell, options));

/** Warnings only and on standard error: standard output is for results. */
export const operatorLog = ({ stderr }: Shell): Logger =>
  createLog({ level: 'warn', name: 'ohmstead', destination: { write: (line) => void stderr.write(line) } });

type Platform = { config: CloudConfig; shell: Shell; mayCreate?: boolean };

/** Works on the platform's database, beside the platform when it runs. */
export async function onPlatform<T>(
  { config, shell, mayCreate = false }: Platform,
  work: (deps: OperatorDeps) => Promise<T>,
): Promise<T> {
  refuseLeftData(config);
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = config;
  if (!databaseUrl && !mayCreate && !existsSync(sqliteFile(dataDir))) {
    throw new Problem('not_found', `There is no database in ${dataDir}; name the data folder with --data or DATA_DIR.`);
  }
  if (!databaseUrl) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const onWait = () => void shell.stderr.write('The database does not answer; it is waited for, a minute at most.\n');
  const store = await openStore({ dataDir, databaseUrl, log: operatorLog(shell), onWait });
  try {
    return await work({ store, clock: systemClock });
  } finally {
    await store.close();
  }
}
