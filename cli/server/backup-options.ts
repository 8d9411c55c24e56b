import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CloudConfig } from '#cloud/config.ts';
import { refuseLeftData } from '#cloud/operator/data-place.ts';
import { Problem } from '#contract/problem.ts';
import { GatewayConfig } from '#gateway/config.ts';
import type { Manifest } from '#lib/backup/manifest.ts';
import type { CopyDeps } from '#lib/backup/new-folder.ts';
import { systemClock } from '#lib/clock.ts';
import { readConfig } from '#lib/config.ts';
import { configuredEnv } from '../configuration/configured-env.ts';
import type { Option, OptionValues, Shell } from '../line/command.ts';
import { createProgress } from '../terminal/screen.ts';
import { platformOptions } from './platform-store.ts';

export const backupOptions = {
  ...platformOptions,
  'gateway-data': {
    value: 'DIR',
    help: 'data folder of the gateway, if it is not the folder gateway inside that of the platform',
  },
} as const satisfies Record<string, Option>;

export type BackupOptions = OptionValues<typeof backupOptions>;

/** Folder of a gateway inside the data folder of a platform, and inside its backup. */
export const gatewayFolder = 'gateway';

export async function gatewayDataDir(shell: Shell, options: BackupOptions): Promise<string> {
  const set = { GATEWAY_DATA_DIR: options['gateway-data'] };
  const env = await configuredEnv(shell, { config: options.config, programs: ['gateway'], set });
  return readConfig(GatewayConfig, env).GATEWAY_DATA_DIR;
}

/** Returns the data folder of a platform that uses SQLite; throws for PostgreSQL. */
export function embeddedDataDir(config: CloudConfig, tool: string): string {
  refuseLeftData(config);
  const { DATA_DIR, DATABASE_URL } = config;
  if (!DATABASE_URL) return DATA_DIR;
  const sentence = `The data is in PostgreSQL (DATABASE_URL): use ${tool}, and copy the other files of ${DATA_DIR} yourself.`;
  throw new Problem('unprocessable', sentence);
}

/** Returns the folder of a gateway outside the data folder, to copy beside the data of the platform. */
export function gatewayBeside(dataDir: string, given: string | undefined): Record<string, string> {
  const inside = join(dataDir, gatewayFolder);
  if (given === undefined || resolve(given) === resolve(inside)) return {};
  if (!existsSync(inside)) return { [gatewayFolder]: given };
  const sentence = `${inside} already contains a gateway; back up ${given} separately with backup --gateway.`;
  throw new Problem('conflict', sentence);
}

export function describeContents({ files, rows }: Pick<Manifest, 'files' | 'rows'>): string {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const rowCount = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return [
    `${files.length} ${files.length === 1 ? 'file' : 'files'}`,
    `${(bytes / 1e6).toFixed(1)} MB`,
    ...(rowCount > 0 ? [`${rowCount} rows`] : []),
  ].join(', ');
}

/** Runs a long task that Ctrl-C can interrupt, with a progress bar. */
export async function withProgress<T>(shell: Shell, what: string, work: (deps: CopyDeps) => Promise<T>): Promise<T> {
  using progress = createProgress(shell, what);
  const { version } = shell;
  const signal = shell.untilInterrupted();
  const result = await work({ clock: systemClock, version, signal, onProgress: progress.show });
  progress.show(1);
  return result;
}
