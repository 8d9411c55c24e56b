import { existsSync, mkdirSync } from 'node:fs';
import { CloudConfig } from '#cloud/config.ts';
import { refuseLeftData } from '#cloud/operator/data-place.ts';
import type { OperatorDeps } from '#cloud/operator/identities.ts';
import { openStore, sqliteFile } from '#cloud/store/store.ts';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import type { Env } from '#lib/config.ts';
import { readConfig } from '#lib/config.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { configOption, configuredEnv } from '../configuration/configured-env.ts';
import type { Program } from '../configuration/programs.ts';
import type { Option, OptionValues, Shell } from '../line/command.ts';
import { reportsWith } from '../line/report.ts';

export const platformOptions = {
  config: configOption,
  data: { value: 'DIR', help: 'data folder; overrides DATA_DIR' },
} as const satisfies Record<string, Option>;

type PlatformOptions = OptionValues<typeof platformOptions>;

/** Reads the environment of the platform and of the other programs in its process. */
export const platformEnv = (
  shell: Shell,
  { config, data }: PlatformOptions,
  others: readonly Program[] = [],
): Promise<Env> => configuredEnv(shell, { config, programs: ['cloud', ...others], set: { DATA_DIR: data } });

export const platformConfig = async (shell: Shell, options: PlatformOptions): Promise<CloudConfig> =>
  readConfig(CloudConfig, await platformEnv(shell, options));

/** Logs warnings to standard error; standard output is for results. */
export const operatorLog = ({ stderr }: Shell): Logger =>
  createLog({ level: 'warn', name: 'ohmstead', destination: { write: (line) => void stderr.write(line) } });

/** Defines a command that works on the data of a platform and prints a report. */
export const onPlatform = reportsWith({
  options: platformOptions,
  async open(options: PlatformOptions, shell) {
    const config = await platformConfig(shell, options);
    const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = config;

    /** Opens the database of the platform, which may be running, for `work` and closes it again. */
    async function withStore<T>(work: (deps: OperatorDeps) => Promise<T>, { mayCreate = false } = {}): Promise<T> {
      refuseLeftData(config);
      if (!databaseUrl && !mayCreate && !existsSync(sqliteFile(dataDir))) {
        throw new Problem('not_found', `No database in ${dataDir}; set the data folder with --data or DATA_DIR.`);
      }
      if (!databaseUrl) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      const onWait = () => void shell.stderr.write('The database does not answer; waiting for up to a minute.\n');
      const store = await openStore({ dataDir, databaseUrl, log: operatorLog(shell), onWait });
      try {
        return await work({ store, clock: systemClock });
      } finally {
        await store.close();
      }
    }
    return { config, withStore };
  },
});
