import { resolve } from 'node:path';
import { backupData } from '#cloud/operator/backup.ts';
import { Problem } from '#contract/problem.ts';
import { backupGateway, isGateway } from '#gateway/system/backup.ts';
import type { Manifest } from '#lib/backup/manifest.ts';
import type { Command, Shell } from '../line/command.ts';
import { report } from '../line/report.ts';
import * as backup from '../server/backup-options.ts';
import { platformConfig } from '../server/platform-store.ts';
import { restoreCommand } from './restore.ts';

const backupCommand = (name: string): Command =>
  report(name, {
    summary: 'Back up the data of the platform or a gateway to a new folder and verify the copy; they may be running',
    arguments: [{ name: 'target folder', help: 'a new or empty folder' }],
    options: { ...backup.backupOptions, gateway: { help: 'back up only a gateway, not the platform' } },
    examples: [
      `${name} /backup/2026-01-31`,
      `${name} /backup/today --data /var/lib/ohmstead --json`,
      `${name} /backup/gateway --gateway --gateway-data /var/lib/ohmstead-gateway`,
    ],
    async run({ arguments: { 'target folder': target }, options }, shell) {
      const manifest = await (options.gateway ? backUpGateway : backUpPlatform)(target, options, shell);
      const sentences = [
        `The backup in ${resolve(target)} is complete and verified: ${backup.describeContents(manifest)}.`,
        'It contains private keys of the platform or its gateway: keep it safe. The keys of users are not included.',
      ];
      return { result: { folder: resolve(target), ...manifest }, text: sentences };
    },
  });

async function backUpPlatform(target: string, options: backup.BackupOptions, shell: Shell): Promise<Manifest> {
  const dataDir = backup.embeddedDataDir(await platformConfig(shell, options), 'pg_dump');
  const besides = backup.gatewayBeside(dataDir, options['gateway-data']);
  for (const folder of Object.values(besides)) {
    if (!isGateway(folder)) throw new Problem('not_found', `No gateway found in ${folder}.`);
  }
  return backup.withProgress(shell, 'Copying', (deps) => backupData(dataDir, target, { ...deps, besides }));
}

async function backUpGateway(target: string, options: backup.BackupOptions, shell: Shell): Promise<Manifest> {
  const dataDir = await backup.gatewayDataDir(shell, options);
  return backup.withProgress(shell, 'Copying', (deps) => backupGateway(dataDir, target, deps));
}

export const commands = [backupCommand('backup'), restoreCommand('restore')];

/** The same commands in the group admin. */
export const adminBackupCommands = [backupCommand('admin backup'), restoreCommand('admin restore')];
