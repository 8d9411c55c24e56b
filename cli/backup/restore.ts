import { join, resolve, sep } from 'node:path';
import { verifyBackup } from '#cloud/operator/backup.ts';
import { pastReturn, restoreData } from '#cloud/operator/restore.ts';
import { Problem } from '#contract/problem.ts';
import { type GatewayFiles, holdGateway, stageGateway } from '#gateway/system/backup.ts';
import { type Manifest, readManifest, verifyFiles } from '#lib/backup/manifest.ts';
import { type Command, command, type Shell } from '../line/command.ts';
import { operatorLog, platformConfig } from '../server/on-platform.ts';
import { confirm } from '../terminal/confirm.ts';
import { printResult } from '../terminal/output.ts';
import {
  type BackupOptions,
  backupOptions,
  contents,
  embeddedDataDir,
  gatewayDataDir,
  gatewayFolder,
  withProgress,
} from './options.ts';

type RestoreOptions = BackupOptions & { yes: boolean; 'without-gateway': boolean; json: boolean };

type Given = { folder: string; options: RestoreOptions; shell: Shell; name: string };

/** The command that puts data back, under one of its names. */
export const restoreCommand = (name: string): Command =>
  command({
    name,
    summary: 'Replace the data by that of a backup, and keep what was there aside; the platform may run, a gateway not',
    arguments: [{ name: 'backup folder', says: 'made by backup' }],
    options: {
      yes: { says: 'do not ask' },
      'without-gateway': { says: 'leave the gateway as it is that is in the data folder of the platform' },
      ...backupOptions,
    },
    examples: [`${name} /backup/2026-01-31`, `${name} /backup/2026-01-31 --yes --data /var/lib/ohmstead`],
    async run({ arguments: { 'backup folder': folder }, options }, shell) {
      await ((await isOfGateway(folder)) ? ontoGateway : ontoPlatform)({ folder, options, shell, name });
    },
  });

/** What is no backup at all is told later, by who verifies it. */
const isOfGateway = (folder: string): Promise<boolean> =>
  readManifest(folder).then(
    ({ of }) => of === 'gateway',
    () => false,
  );

async function ontoPlatform({ folder, options, shell, name }: Given): Promise<void> {
  const dataDir = embeddedDataDir(await platformConfig(shell, options), 'pg_restore');
  const manifest = await verifyBackup(folder);
  const paths = options['without-gateway'] ? [] : gatewayPaths(manifest);
  const gatewayDir = options['gateway-data'] ?? join(dataDir, gatewayFolder);
  const replaced = paths.length > 0 ? [dataDir, gatewayDir] : [dataDir];
  await ask({ shell, options, name, manifest, replaced });

  using held = new DisposableStack();
  if (paths.length > 0) {
    const lock = await holdGateway(gatewayDir);
    held.defer(() => lock.release());
  }
  const { safetyCopy, isOtherDeployment, gatewayAside } = await withProgress(shell, 'Restoring', async (deps) => {
    const from: GatewayFiles = { folder: join(folder, gatewayFolder), paths };
    await using gateway = paths.length > 0 ? await stageGateway(from, gatewayDir, deps) : undefined;
    const isExcluded = (path: string): boolean => path.startsWith(gatewayFolder + sep);
    const restored = await restoreData(folder, dataDir, { ...deps, isExcluded, log: operatorLog(shell) });
    return { ...restored, gatewayAside: await pastReturn(restored.safetyCopy, async () => gateway?.put()) };
  });
  const restart = isOtherDeployment ? ['The backup is of another deployment: restart the platform if it runs.'] : [];
  const result = { safety_copy: safetyCopy ?? null, restart_needed: isOtherDeployment };
  tell({ shell, options, manifest, replaced, aside: [safetyCopy, gatewayAside], result, more: restart });
}

async function ontoGateway({ folder, options, shell, name }: Given): Promise<void> {
  const dataDir = await gatewayDataDir(shell, options);
  const manifest = await verifyFiles(folder, 'gateway');
  const replaced = [dataDir];
  await ask({ shell, options, name, manifest, replaced });
  const lock = await holdGateway(dataDir);
  try {
    const paths = manifest.files.map(({ path }) => path);
    const aside = await withProgress(shell, 'Restoring', async (deps) => {
      await using gateway = await stageGateway({ folder, paths }, dataDir, deps);
      return await gateway.put();
    });
    tell({ shell, options, manifest, replaced, aside: [aside], result: { safety_copy: aside ?? null }, more: [] });
  } finally {
    lock.release();
  }
}

/** The files of the gateway that a backup of a platform holds, by their path in its folder. */
const gatewayPaths = ({ files }: Manifest): string[] =>
  files.flatMap(({ path }) => (path.startsWith(gatewayFolder + sep) ? [path.slice(gatewayFolder.length + 1)] : []));

type Question = Pick<Given, 'shell' | 'options'> & { manifest: Manifest; replaced: readonly string[] };

async function ask({ shell, options, name, manifest, replaced }: Question & { name: string }): Promise<void> {
  const where = replaced.map((folder) => resolve(folder)).join(' and ');
  const question = `This replaces the data in ${where} by the backup of ${manifest.created_at} (${contents(manifest)}).`;
  if (!options.yes && !(await confirm(question, shell, name))) throw new Problem('conflict', 'Nothing was changed.');
}

type Outcome = Question & { aside: (string | undefined)[]; result: object; more: string[] };

function tell({ shell, options, manifest: { created_at }, replaced, aside, result, more }: Outcome): void {
  const sentences = [
    `The data in ${replaced.map((folder) => resolve(folder)).join(' and ')} is that of ${created_at} again.`,
    ...aside.flatMap((folder) => (folder ? [`What was there before is in ${resolve(folder)}.`] : [])),
    ...more,
  ];
  printResult(shell, options.json, { created_at, ...result }, sentences.join('\n'));
}
