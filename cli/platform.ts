import { existsSync, mkdirSync } from 'node:fs';
import { CloudConfig } from '#cloud/config.ts';
import type { OperatorDeps } from '#cloud/operator/deps.ts';
import { openStore, sqliteFile } from '#cloud/store/store.ts';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import { readConfig } from '#lib/config.ts';
import { createLog, type Logger } from '#lib/log.ts';
import type { Option, Shell } from './command.ts';

export const dataOption = { value: 'DIR', says: 'data folder, instead of DATA_DIR' } as const satisfies Option;

export const jsonOption = { says: 'print JSON' } as const satisfies Option;

/** The environment of the platform, with its data folder from the command line when that names one. */
export const platformEnv = ({ env }: Shell, data: string | undefined): Shell['env'] =>
  data === undefined ? env : { ...env, DATA_DIR: data, DATA_DIR_FILE: undefined };

export const platformConfig = (shell: Shell, data: string | undefined): CloudConfig =>
  readConfig(CloudConfig, platformEnv(shell, data));

/** Warnings only and on standard error: standard output is for results. */
export const operatorLog = ({ stderr }: Shell): Logger =>
  createLog({ level: 'warn', name: 'ohmstead', destination: { write: (line) => void stderr.write(line) } });

type Platform = { config: CloudConfig; shell: Shell; mayCreate?: boolean };

/** Works on the platform's database, beside the platform when it runs. */
export async function onPlatform<T>(
  { config, shell, mayCreate = false }: Platform,
  work: (deps: OperatorDeps) => Promise<T>,
): Promise<T> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = config;
  if (!databaseUrl && !mayCreate && !existsSync(sqliteFile(dataDir))) {
    throw new Problem('not_found', `There is no database in ${dataDir}; name the data folder with --data or DATA_DIR.`);
  }
  if (!databaseUrl) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const store = await openStore({ dataDir, databaseUrl, log: operatorLog(shell) });
  try {
    return await work({ store, clock: systemClock });
  } finally {
    await store.close();
  }
}
