import { join, resolve, sep } from 'node:path';
import { verifyBackup } from '#cloud/operator/backup.ts';
import { pastReturn, restoreData } from '#cloud/operator/restore.ts';
import { type GatewayFiles, holdGateway, stageGateway } from '#gateway/system/backup.ts';
import { type Manifest, readManifest, verifyFiles } from '#lib/backup/manifest.ts';
import type { Command, Shell } from '../line/command.ts';
import { type Report, report } from '../line/report.ts';
import {
  type BackupOptions,
  backupOptions,
  describeContents,
  embeddedDataDir,
  gatewayDataDir,
  gatewayFolder,
  withProgress,
} from '../server/backup-options.ts';
import { operatorLog, platformConfig } from '../server/platform-store.ts';
import { requireConfirmation, yesOption } from '../terminal/output.ts';

type RestoreOptions = BackupOptions & { yes: boolean; 'without-gateway': boolean };

type Given = { folder: string; options: RestoreOptions; shell: Shell };

export const restoreCommand = (name: string): Command =>
  report(name, {
    summary:
      'Restore a backup and keep the replaced data aside; the platform may be running, a gateway must be stopped',
    arguments: [{ name: 'backup folder', help: 'created by ohmstead backup' }],
    options: {
      yes: yesOption,
      'without-gateway': { help: 'do not replace the gateway in the data folder of the platform' },
      ...backupOptions,
    },
    examples: [`${name} /backup/2026-01-31`, `${name} /backup/2026-01-31 --yes --data /var/lib/ohmstead`],
    run: async ({ arguments: { 'backup folder': folder }, options }, shell) =>
      ((await isOfGateway(folder)) ? restoreGateway : restorePlatform)({ folder, options, shell }),
  });

/** Returns whether this is a backup of a gateway. A folder that is not a backup is reported by the verification. */
const isOfGateway = (folder: string): Promise<boolean> =>
  readManifest(folder).then(
    ({ of }) => of === 'gateway',
    () => false,
  );

async function restorePlatform({ folder, options, shell }: Given): Promise<Report> {
  const dataDir = embeddedDataDir(await platformConfig(shell, options), 'pg_restore');
  const manifest = await verifyBackup(folder);
  const paths = options['without-gateway'] ? [] : gatewayPaths(manifest);
  const gatewayDir = options['gateway-data'] ?? join(dataDir, gatewayFolder);
  const folders = foldersOf(paths.length > 0 ? [dataDir, gatewayDir] : [dataDir]);
  await ask(manifest, folders, options, shell);

  using _lock = paths.length > 0 ? await holdGateway(gatewayDir) : undefined;
  const { safetyCopy, isOtherDeployment, gatewayAside } = await withProgress(shell, 'Restoring', async (deps) => {
    const from: GatewayFiles = { folder: join(folder, gatewayFolder), paths };
    await using gateway = paths.length > 0 ? await stageGateway(from, gatewayDir, deps) : undefined;
    const isExcluded = (path: string): boolean => path.startsWith(gatewayFolder + sep);
    const restored = await restoreData(folder, dataDir, { ...deps, isExcluded, log: operatorLog(shell) });
    return { ...restored, gatewayAside: await pastReturn(restored.safetyCopy, async () => gateway?.put()) };
  });
  const restart = isOtherDeployment
    ? ['The backup is from another deployment: restart the platform if it is running.']
    : [];
  const result = { safety_copy: safetyCopy ?? null, restart_needed: isOtherDeployment };
  return outcomeOf(manifest, folders, [safetyCopy, gatewayAside], result, restart);
}

async function restoreGateway({ folder, options, shell }: Given): Promise<Report> {
  const dataDir = await gatewayDataDir(shell, options);
  const manifest = await verifyFiles(folder, 'gateway');
  const folders = foldersOf([dataDir]);
  await ask(manifest, folders, options, shell);
  using _lock = await holdGateway(dataDir);
  const paths = manifest.files.map(({ path }) => path);
  const aside = await withProgress(shell, 'Restoring', async (deps) => {
    await using gateway = await stageGateway({ folder, paths }, dataDir, deps);
    return await gateway.put();
  });
  return outcomeOf(manifest, folders, [aside], { safety_copy: aside ?? null });
}

/** Lists the files of the gateway in a backup of a platform, relative to its folder. */
const gatewayPaths = ({ files }: Manifest): string[] =>
  files.flatMap(({ path }) => (path.startsWith(gatewayFolder + sep) ? [path.slice(gatewayFolder.length + 1)] : []));

const foldersOf = (replaced: readonly string[]): string => replaced.map((folder) => resolve(folder)).join(' and ');

async function ask(manifest: Manifest, folders: string, options: RestoreOptions, shell: Shell): Promise<void> {
  const question = `This replaces the data in ${folders} with the backup of ${manifest.created_at} (${describeContents(manifest)}).`;
  await requireConfirmation(options.yes, question, shell);
}

function outcomeOf(
  { created_at }: Manifest,
  folders: string,
  aside: (string | undefined)[],
  result: object,
  more: string[] = [],
): Report {
  const text = [
    `The data in ${folders} was restored to ${created_at}.`,
    ...aside.flatMap((folder) => (folder ? [`The previous data is in ${resolve(folder)}.`] : [])),
    ...more,
  ];
  return { result: { created_at, ...result }, text };
}
