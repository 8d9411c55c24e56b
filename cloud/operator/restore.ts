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
import { copyRemovedBrowsers } from '../store/browsers.ts';
import { tableNames } from '../store/migrate.ts';
import { readSetting } from '../store/settings.ts';
import { openSqlite } from '../store/sqlite.ts';
import { openStore, type Store, sqliteFile } from '../store/store.ts';
import { copyRevocations, raiseAccessVersion, readAccessVersion } from '../store/tokens.ts';
import { type BackupOptions, isDatabase, verifyBackup, writeBackup } from './backup.ts';

/** Excluded files are neither restored from the backup nor changed in the data folder. */
export type RestoreDeps = Omit<BackupOptions, 'besides'> & { log: Logger };

export type Restored = {
  manifest: Manifest;
  safetyCopy: string | undefined;
  /** a running platform must be restarted to use the deployment id of the backup */
  isOtherDeployment: boolean;
};

/** Replaces the content of a data folder with a backup. The platform may be running. */
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

/** Runs the steps after the database was replaced; an error says that the platform is partly replaced. */
export async function pastReturn<T>(safetyCopy: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const kept = safetyCopy === undefined ? 'there was no earlier data' : `the earlier data is in ${safetyCopy}`;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const sentence = `The platform is partly replaced; ${kept}. ${reason}`;
    throw new Problem('storage_failed', sentence, {}, { cause });
  }
}

/** Prepares the restored database completely before it is put in place. */
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

/** Revokes all tokens: it is unknown which ones were revoked since the backup. */
const endTokens = (staged: Store, { clock }: RestoreDeps): Promise<void> =>
  staged.write(({ db }) => endAllTokens(db, clock.now()));

/** Returns whether the backup is of another deployment than the replaced data; then its tokens are revoked too. */
async function takeOver(staged: Store, dataDir: string, deps: RestoreDeps): Promise<boolean> {
  // Not migrated: it may be of a newer program, which is a reason to restore.
  const live = openSqlite(sqliteFile(dataDir));
  try {
    if (!(await tableNames(live.db)).has('settings')) {
      await endTokens(staged, deps); // an interrupted restore left an empty file
      return false;
    }
    const isOther = (await readSetting(live.db, 'deployment_id')) !== (await readSetting(staged.db, 'deployment_id'));
    if (isOther) await endTokens(staged, deps);
    const version = await readAccessVersion(live.db);
    await staged.write(async ({ db }) => {
      if (!isOther) {
        await carryKeys(live.db, db);
        await copyRemovedBrowsers(live.db, db);
      }
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
    throw new Problem(
      error.code,
      `The current data cannot be saved first. ${error.message} ${advice}`,
      {},
      { cause: error },
    );
  }
}

async function moveInto(dataDir: string, staging: string, path: string): Promise<void> {
  const target = join(dataDir, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await rename(join(staging, path), target);
  await syncPath(dirname(target));
}
