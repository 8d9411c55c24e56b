import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import { openStore, type Store } from '../store/store.ts';
import { type BackupOptions, backupData, verifyBackup } from './backup.ts';

const deps: BackupOptions = {
  clock: createFakeClock(Date.parse('2026-06-01T12:00:00Z')),
  version: '1.2.3',
  signal: new AbortController().signal,
  onProgress: () => {},
};

/** A data folder with an open database and some files, and a place for its backup. */
async function scene(t: TestContext): Promise<{ place: string; dataDir: string; target: string; store: Store }> {
  const place = temporaryFolder(t);
  const dataDir = join(place, 'data');
  await mkdir(join(dataDir, 'broker'), { recursive: true });
  await writeFile(join(dataDir, 'broker', 'retained'), 'kept');
  const store = await openStore({ dataDir, log: createLog({ level: 'silent', name: 'test' }) });
  t.after(() => store.close());
  return { place, dataDir, target: join(place, 'copy'), store };
}

const set = (store: Store, name: string, value: string): Promise<void> =>
  store.write(({ db }) => writeSetting(db, name, value));

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('a backup of an open database has what was committed, for its owner only', async (t) => {
  const { dataDir, target, store } = await scene(t);
  await set(store, 'color', 'green');
  const manifest = await backupData(dataDir, target, deps);
  assert.deepEqual(
    manifest.files.map(({ path }) => path),
    ['cloud.db', 'broker/retained'],
  );
  assert.deepEqual(
    [manifest.version, manifest.created_at, manifest.rows.settings],
    ['1.2.3', '2026-06-01T12:00:00.000Z', 1],
  );
  assert.deepEqual((await readdir(target)).sort(), ['broker', 'cloud.db', 'manifest.json']);
  assert.equal(await readFile(join(target, 'broker/retained'), 'utf8'), 'kept');
  assert.deepEqual(await Promise.all([target, join(target, 'broker')].map(modeOf)), [0o700, 0o700]);
  const files = ['cloud.db', 'manifest.json', 'broker/retained'].map((path) => join(target, path));
  assert.deepEqual(await Promise.all(files.map(modeOf)), [0o600, 0o600, 0o600]);

  const copy = await openStore({ dataDir: target, log: createLog({ level: 'silent', name: 'test' }) });
  assert.equal(await readSetting(copy.db, 'color'), 'green');
  await copy.close();
});

test('locks, logs and temporary copies are left out', async (t) => {
  const { dataDir, target } = await scene(t);
  for (const name of ['lock', 'other-wal', 'other-shm', 'manifest.json']) await writeFile(join(dataDir, name), '');
  for (const name of ['before-restore-1', 'restoring-x', 'lost+found', '.copy.1.unfinished']) {
    await mkdir(join(dataDir, name));
    await writeFile(join(dataDir, name, 'file'), '');
  }
  await symlink('broker/retained', join(dataDir, 'link'));
  const { files } = await backupData(dataDir, target, deps);
  assert.deepEqual(
    files.map(({ path }) => path),
    ['cloud.db', 'broker/retained', 'link'],
  );
});

test('writes continue during a backup, and the copy is consistent', async (t) => {
  const { dataDir, target, store } = await scene(t);
  await set(store, 'large', 'x'.repeat(8_000_000));
  const done = new AbortController();
  const copying = backupData(dataDir, target, deps).finally(() => done.abort());
  let written = 0;
  while (!done.signal.aborted) {
    await set(store, `n${written++}`, '');
    await new Promise(setImmediate);
  }
  const { rows } = await copying;
  assert.ok(rows.settings! < written, `${rows.settings} rows are in the copy and ${written} were written`);
});

test('nothing is written to a folder that is not empty, or to a file', async (t) => {
  const { dataDir, target } = await scene(t);
  await mkdir(target);
  await backupData(dataDir, target, deps);
  await assert.rejects(backupData(dataDir, target, deps), {
    message: `The folder ${target} is not empty; nothing was written.`,
  });
  await verifyBackup(target);
  await assert.rejects(backupData(dataDir, join(target, 'manifest.json'), deps), /is a file/);
});

test('a backup inside the data folder or of no database is refused', async (t) => {
  const { dataDir, place, target } = await scene(t);
  await assert.rejects(backupData(dataDir, join(dataDir, 'copies/1'), deps), /inside the data folder/);
  await assert.rejects(backupData(place, target, deps), /There is no database/);
});

test('a backup that is stopped or fails leaves nothing', async (t) => {
  const { dataDir, place, target, store } = await scene(t);
  await set(store, 'large', 'x'.repeat(8_000_000)); // more than is copied at a time
  const stopping = new AbortController();
  const stopped = backupData(dataDir, target, { ...deps, signal: stopping.signal, onProgress: () => stopping.abort() });
  await assert.rejects(stopped, { name: 'AbortError' });
  await symlink('nowhere', join(dataDir, 'dangling'));
  await assert.rejects(backupData(dataDir, target, deps), { code: 'ENOENT' });
  assert.deepEqual(await readdir(place), ['data']);
});

for (const { says, spoil, message } of [
  {
    says: 'a changed file',
    spoil: (folder: string) => writeFile(join(folder, 'broker/retained'), 'Kept'),
    message: /broker\/retained has changed since it was written/,
  },
  { says: 'a missing file', spoil: (folder: string) => rm(join(folder, 'cloud.db')), message: /cloud.db is missing/ },
  {
    says: 'a missing manifest',
    spoil: (folder: string) => rm(join(folder, 'manifest.json')),
    message: /manifest.json is missing/,
  },
  {
    says: 'a manifest that leads out of its folder',
    spoil: (folder: string) => change(folder, (text) => text.replace('broker/', '../data/broker/')),
    message: /not written by this program/,
  },
  {
    says: 'another number of rows',
    spoil: (folder: string) => change(folder, (text) => text.replace('"members": 0', '"members": 1')),
    message: /number of rows differs in members/,
  },
]) {
  test(`${says} makes a backup unusable`, async (t) => {
    const { dataDir, target } = await scene(t);
    await backupData(dataDir, target, deps);
    await spoil(target);
    await assert.rejects(verifyBackup(target), { code: 'unprocessable', message });
  });
}

async function change(folder: string, edit: (text: string) => string): Promise<void> {
  const file = join(folder, 'manifest.json');
  await chmod(file, 0o600);
  await writeFile(file, edit(await readFile(file, 'utf8')));
}
