import { resolve } from 'node:path';
import { backupData } from '#cloud/operator/backup.ts';
import { Problem } from '#contract/problem.ts';
import { backupGateway, isGateway } from '#gateway/system/backup.ts';
import type { Manifest } from '#lib/backup/manifest.ts';
import { type Command, command, type Shell } from '../line/command.ts';
import { platformConfig } from '../server/on-platform.ts';
import { printResult } from '../terminal/output.ts';
import {
  type BackupOptions,
  backupOptions,
  contents,
  embeddedDataDir,
  gatewayBeside,
  gatewayDataDir,
  withProgress,
} from './options.ts';

/** The command that copies data, under one of its names. */
export const backupCommand = (name: string): Command =>
  command({
    name,
    summary: 'Copy the data of the platform, or of a gateway, into a new folder and verify the copy; they may run',
    arguments: [{ name: 'target folder', says: 'a folder that is missing or empty' }],
    options: { ...backupOptions, gateway: { says: 'of a gateway alone, instead of the platform' } },
    examples: [
      `${name} /backup/2026-01-31`,
      `${name} /backup/today --data /var/lib/ohmstead --json`,
      `${name} /backup/gateway --gateway --gateway-data /var/lib/ohmstead-gateway`,
    ],
    async run({ arguments: { 'target folder': target }, options }, shell) {
      const manifest = await (options.gateway ? ofGateway : ofPlatform)(target, options, shell);
      const sentences = [
        `The backup in ${resolve(target)} is complete and verified: ${contents(manifest)}.`,
        'It holds private keys of the platform or its gateway: keep it safe. Keys with which people sign in are not part of it.',
      ];
      printResult(shell, options.json, { folder: resolve(target), ...manifest }, sentences.join('\n'));
    },
  });

async function ofPlatform(target: string, options: BackupOptions, shell: Shell): Promise<Manifest> {
  const dataDir = embeddedDataDir(await platformConfig(shell, options), 'pg_dump');
  const besides = gatewayBeside(dataDir, options['gateway-data']);
  for (const folder of Object.values(besides)) {
    if (!isGateway(folder)) throw new Problem('not_found', `There is no gateway in ${folder}.`);
  }
  return withProgress(shell, 'Copying', (deps) => backupData(dataDir, target, { ...deps, besides }));
}

async function ofGateway(target: string, options: BackupOptions, shell: Shell): Promise<Manifest> {
  const dataDir = await gatewayDataDir(shell, options);
  return withProgress(shell, 'Copying', (deps) => backupGateway(dataDir, target, deps));
}
