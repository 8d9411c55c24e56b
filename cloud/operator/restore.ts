import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { syncPath } from '#lib/atomic-file.ts';
import { copyFile, safetyCopyPrefix, stagingPrefix } from '#lib/backup/files.ts';
import type { Manifest } from '#lib/backup/manifest.ts';
import { DatabaseTooNew } from '#lib/database-too-new.ts';
import type { Logger } from '#lib/log.ts';
import { carryKeys, endAllTokens, openKeyRing } from '../identity/key-ring.ts';
import { copyDatabase, replaceDatabase } from '../store/backup.ts';
import { tableNames } from '../store/migrate.ts';
import { readSetting } from '../store/settings.ts';
import { openSqlite } from '../store/sqlite.ts';
import { openStore, type Store, sqliteFile } from '../store/store.ts';
import { copyRevocations, raiseAccessVersion, readAccessVersion } from '../store/tokens.ts';
import { type BackupOptions, isDatabase, verifyBackup, writeBackup } from './backup.ts';

/** What is left out is neither taken from the backup nor touched in the data folder. */
export type RestoreDeps = Omit<BackupOptions, 'besides'> & { log: Logger };

export type Restored = {
  manifest: Manifest;
  /** what was there before */
  safetyCopy: string | undefined;
  /** a running platform keeps the name it started with, and must be started again to take the one of the backup */
  isOtherDeployment: boolean;
};

/** Makes a backup the content of a data folder, also of one whose platform runs. */
export async function restoreData(backup: string, dataDir: string, deps: RestoreDeps): Promise<Restored> {
  const manifest = await verifyBackup(backup, deps.signal);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const staging = await mkdtemp(join(dataDir, stagingPrefix));
  try {
    const database = sqliteFile(staging);
    const others = manifest.files
      .map(({ path }) => path)
      .filter((path) => path !== basename(database) && !deps.isExcluded?.(path));
    await copyDatabase(sqliteFile(backup), database, () => deps.signal.throwIfAborted());
    for (const path of others) {
      const [from, to] = [join(backup, path), join(staging, path)];
      if (isDatabase(path)) await copyDatabase(from, to, () => deps.signal.throwIfAborted());
      else await copyFile(from, to, deps.signal);
    }

    const replaced = await prepare(staging, dataDir, manifest, deps);
    deps.signal.throwIfAborted();
    await replaceDatabase(sqliteFile(dataDir), database, ({ done, total }) => deps.onProgress(done / total));
    await pastReturn(replaced.safetyCopy, async () => {
      for (const path of others) {
        if (isDatabase(path)) await replaceDatabase(join(dataDir, path), join(staging, path), () => {});
        else await moveInto(dataDir, staging, path);
      }
    });
    return { manifest, ...replaced };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** What is still to be done once the database is replaced: whoever hears that it failed hears that too. */
export async function pastReturn<T>(safetyCopy: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const kept = safetyCopy === undefined ? 'nothing was there before' : `what was there is in ${safetyCopy}`;
    const sentence = `The platform is partly replaced; ${kept}. ${(cause as Error).message}`;
    throw new Problem('storage_failed', sentence, {}, { cause });
  }
}

/** All that the restored database needs is done before it is put in place, so that nobody sees it half done. */
async function prepare(
  staging: string,
  dataDir: string,
  manifest: Manifest,
  deps: RestoreDeps,
): Promise<Omit<Restored, 'manifest'>> {
  const staged = await openStaged(staging, manifest, deps);
  try {
    await openKeyRing(staged, { clock: deps.clock, tokenLifeMs: 0 }); // a backup from before the first start has no keys
    if (!existsSync(sqliteFile(dataDir))) {
      await endTokens(staged, deps);
      return { safetyCopy: undefined, isOtherDeployment: false };
    }
    const safetyCopy = await copySafely(dataDir, deps);
    return { safetyCopy, isOtherDeployment: await takeOver(staged, dataDir, deps) };
  } finally {
    await staged.close();
  }
}

async function openStaged(staging: string, { version }: Manifest, { log }: RestoreDeps): Promise<Store> {
  try {
    return await openStore({ dataDir: staging, log });
  } catch (error) {
    if (!(error instanceof DatabaseTooNew)) throw error;
    const sentence = `The backup was made by a newer Ohmstead (${version}); restore it with that version.`;
    throw new DatabaseTooNew(sentence, { cause: error });
  }
}

/** Nothing tells which tokens were revoked since the backup, so all of them end. */
const endTokens = (staged: Store, { clock }: RestoreDeps): Promise<void> =>
  staged.write(({ db }) => endAllTokens(db, clock.now()));

/** Returns whether the backup is of another deployment than the data it replaces; then its tokens end as well. */
async function takeOver(staged: Store, dataDir: string, deps: RestoreDeps): Promise<boolean> {
  // Not brought up to date: it may be of a newer program, which is a reason to restore.
  const live = openSqlite(sqliteFile(dataDir));
  try {
    if (!(await tableNames(live.db)).has('settings')) {
      await endTokens(staged, deps); // a restore that died left an empty file
      return false;
    }
    const isOther = (await readSetting(live.db, 'deployment_id')) !== (await readSetting(staged.db, 'deployment_id'));
    if (isOther) await endTokens(staged, deps);
    const version = await readAccessVersion(live.db);
    await staged.write(async ({ db }) => {
      if (!isOther) await carryKeys(live.db, db);
      await copyRevocations(live.db, db);
      await raiseAccessVersion(db, version);
    });
    return isOther;
  } finally {
    await live.close();
  }
}

async function copySafely(dataDir: string, deps: RestoreDeps): Promise<string> {
  const time = formatTime(deps.clock.now()).replaceAll(/[:.]/g, '-');
  const target = join(dataDir, `${safetyCopyPrefix}${time}`);
  try {
    await writeBackup(dataDir, target, { ...deps, onProgress: () => {} });
    return target;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const advice = `Stop the platform, move ${dataDir} away, and restore into a new folder.`;
    throw new Problem(error.code, `What is there now cannot be kept. ${error.message} ${advice}`, {}, { cause: error });
  }
}

async function moveInto(dataDir: string, staging: string, path: string): Promise<void> {
  const target = join(dataDir, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await rename(join(staging, path), target);
  await syncPath(dirname(target));
}
