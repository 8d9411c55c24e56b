import { resolve } from 'node:path';
import type { CloudConfig } from '#cloud/config.ts';
import { backupData } from '#cloud/operator/backup.ts';
import { type Manifest, verifyBackup } from '#cloud/operator/manifest.ts';
import { restoreData } from '#cloud/operator/restore.ts';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import { command, type Shell } from '../command.ts';
import { confirm } from '../confirm.ts';
import { untilInterrupted } from '../interrupt.ts';
import { printResult } from '../output.ts';
import { dataOption, jsonOption, operatorLog, platformConfig } from '../platform.ts';
import { createProgress } from '../progress.ts';

const backup = command({
  name: 'admin backup',
  summary: 'Copy the data folder into a new folder and verify the copy; the platform may run',
  arguments: [{ name: 'target folder', says: 'a folder that is missing or empty' }],
  options: { data: dataOption, json: jsonOption },
  examples: ['admin backup /backup/2026-01-31', 'admin backup /backup/today --data /var/lib/ohmstead --json'],
  async run({ arguments: { 'target folder': target }, options }, shell) {
    const { DATA_DIR } = embedded(platformConfig(shell, options.data), 'pg_dump');
    const manifest = await withProgress(shell, 'Copying', (deps) => backupData(DATA_DIR, target, deps));
    const sentence = `The backup in ${resolve(target)} is complete and verified: ${contents(manifest)}.`;
    printResult(shell, options.json, { folder: resolve(target), ...manifest }, sentence);
  },
});

const restore = command({
  name: 'admin restore',
  summary: 'Replace the data by that of a backup; the platform may run, and what was there is kept aside',
  arguments: [{ name: 'backup folder', says: 'made by admin backup' }],
  options: { yes: { says: 'do not ask' }, data: dataOption, json: jsonOption },
  examples: ['admin restore /backup/2026-01-31', 'admin restore /backup/2026-01-31 --yes --data /var/lib/ohmstead'],
  async run({ arguments: { 'backup folder': folder }, options }, shell) {
    const { DATA_DIR } = embedded(platformConfig(shell, options.data), 'pg_restore');
    const { created_at, ...manifest } = await verifyBackup(folder);
    const question = `This replaces the data in ${resolve(DATA_DIR)} by the backup of ${created_at} (${contents(manifest)}).`;
    if (!options.yes && !(await confirm(question, shell, restore.name)))
      throw new Problem('conflict', 'Nothing was changed.');

    const restored = await withProgress(shell, 'Restoring', (deps) =>
      restoreData(folder, DATA_DIR, { ...deps, log: operatorLog(shell) }),
    );
    const { safetyCopy, isOtherDeployment } = restored;
    const sentences = [
      `The data in ${resolve(DATA_DIR)} is that of ${created_at} again.`,
      ...(safetyCopy ? [`What was there before is in ${resolve(safetyCopy)}.`] : []),
      ...(isOtherDeployment ? ['The backup is of another deployment: restart the platform if it runs.'] : []),
    ];
    const result = { created_at, safety_copy: safetyCopy ?? null, restart_needed: isOtherDeployment };
    printResult(shell, options.json, result, sentences.join('\n'));
  },
});

function embedded(config: CloudConfig, tool: string): CloudConfig {
  if (!config.DATABASE_URL) return config;
  const sentence = `The data is in PostgreSQL (DATABASE_URL): use ${tool}, and copy the other files of ${config.DATA_DIR} yourself.`;
  throw new Problem('unprocessable', sentence);
}

const contents = ({ files, rows }: Pick<Manifest, 'files' | 'rows'>): string => {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const rowCount = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${(bytes / 1e6).toFixed(1)} MB, ${rowCount} rows`;
};

async function withProgress<T>(
  shell: Shell,
  what: string,
  work: (deps: Parameters<typeof backupData>[2]) => Promise<T>,
): Promise<T> {
  const progress = createProgress(shell, what);
  const { version } = shell;
  try {
    const result = await work({ clock: systemClock, version, signal: untilInterrupted(), onProgress: progress.show });
    progress.show(1);
    return result;
  } finally {
    progress.end();
  }
}

export const backupCommands = [backup, restore];
