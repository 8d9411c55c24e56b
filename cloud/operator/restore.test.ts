import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DatabaseTooNew } from '#lib/database-too-new.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { endAllTokens, openKeyRing } from '../identity/key-ring.ts';
import { deleteBrowser, insertBrowser, listBrowsers } from '../store/browsers.ts';
import { insertIdentity, listIdentities, setDisabled } from '../store/identities.ts';
import { consumeRecord, deleteRecord, saveRecord } from '../store/oauth.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import { openStore, type Store } from '../store/store.ts';
import { isRevoked, listSigningKeys, readAccessVersion, revokeToken } from '../store/tokens.ts';
import { backupData, verifyBackup } from './backup.ts';
import { type RestoreDeps, restoreData } from './restore.ts';

const log = createLog({ level: 'silent', name: 'test' });

const deps: RestoreDeps = {
  clock: createFakeClock(Date.parse('2026-06-01T12:00:00Z')),
  version: '1.2.3',
  signal: new AbortController().signal,
  onProgress: () => {},
  log,
};

async function scene(t: TestContext): Promise<{ place: string; dataDir: string; backup: string; store: Store }> {
  const place = temporaryFolder(t);
  const dataDir = join(place, 'data');
  await mkdir(dataDir);
  const store = await openStore({ dataDir, log });
  t.after(() => store.close());
  return { place, dataDir, backup: join(place, 'backup'), store };
}

const set = (store: Store, name: string, value: string): Promise<void> =>
  store.write(({ db }) => writeSetting(db, name, value));

/** Backed up while it was green and its notes old; since then blue, and its notes new. */
async function changedSinceBackup(t: TestContext) {
  const made = await scene(t);
  const { dataDir, backup, store } = made;
  await set(store, 'color', 'green');
  await writeFile(join(dataDir, 'notes'), 'old');
  await backupData(dataDir, backup, deps);
  await set(store, 'color', 'blue');
  await writeFile(join(dataDir, 'notes'), 'new');
  return made;
}

const ofTheFuture = (store: Store): Promise<void> =>
  store.write(async ({ db }) => {
    await db
      .insertInto('migrations' as 'settings')
      .values({ name: '999-future' } as never)
      .execute();
  });

test('an open store sees a restore as a whole, and the earlier data is kept', async (t) => {
  const { dataDir, backup, store } = await changedSinceBackup(t);
  const before = await readAccessVersion(store.db);

  const { safetyCopy, isOtherDeployment } = await restoreData(backup, dataDir, deps);
  assert.equal(await readSetting(store.db, 'color'), 'green');
  assert.equal(await readFile(join(dataDir, 'notes'), 'utf8'), 'old');
  assert.notEqual(await readAccessVersion(store.db), before);
  assert.equal(isOtherDeployment, false);
  await set(store, 'color', 'red');
  assert.equal(await readSetting(store.db, 'color'), 'red');

  assert.equal(safetyCopy, join(dataDir, 'before-restore-2026-06-01T12-00-00-000Z'));
  const { files } = await verifyBackup(safetyCopy);
  assert.deepEqual(
    files.map(({ path }) => path),
    ['cloud.db', 'notes'],
  );
  await restoreData(safetyCopy, dataDir, { ...deps, clock: createFakeClock(0) });
  assert.equal(await readSetting(store.db, 'color'), 'blue');
  assert.equal(
    (await readdir(dataDir)).some((name) => name.startsWith('restoring-')),
    false,
  );
});

test('a token revoked after the backup stays revoked', async (t) => {
  const { dataDir, backup, store } = await scene(t);
  await backupData(dataDir, backup, deps);
  await store.write(({ db }) => revokeToken(db, { jti: 'tok-1', expires_at: deps.clock.now() + 1000 }));
  await restoreData(backup, dataDir, deps);
  assert.equal(await isRevoked(store.db, 'tok-1'), true);
});

test('an identity disabled after the backup stays disabled', async (t) => {
  const { dataDir, backup, store } = await scene(t);
  const people = ['ed', 'flo'].map((id) => ({
    id,
    public_key: id,
    type: 'user' as const,
    name: null,
    created_at: 0,
    disabled_at: null,
    signed_out_at: null,
  }));
  for (const person of people) await store.write(({ db }) => insertIdentity(db, person));
  await backupData(dataDir, backup, deps);
  await store.write(({ db }) => setDisabled(db, 'ed', 5));
  await restoreData(backup, dataDir, deps);
  const disabled = (await listIdentities(store.db)).map(({ id, disabled_at }) => [id, disabled_at]);
  assert.deepEqual(disabled, [
    ['ed', 5],
    ['flo', null],
  ]);
});

test('a browser removed after the backup stays removed', async (t) => {
  const { dataDir, backup, store } = await scene(t);
  const times = { created_at: 0, disabled_at: null, signed_out_at: null };
  const browser = (id: string) => ({ id, identity_id: 'ed', public_key: id, description: 'Firefox', created_at: 0 });
  await store.write(async ({ db }) => {
    await insertIdentity(db, { id: 'ed', public_key: 'ed', type: 'user', name: null, ...times });
    for (const id of ['kept', 'lost']) await insertBrowser(db, browser(id));
  });
  await backupData(dataDir, backup, deps);
  await store.write(({ db }) => deleteBrowser(db, 'lost'));
  await restoreData(backup, dataDir, deps);
  assert.deepEqual(await listBrowsers(store.db, 'ed'), [browser('kept')]);
});

test('tokens that an application returned or used after the backup stay invalid', async (t) => {
  const { dataDir, backup, store } = await scene(t);
  const record = { grant_id: null, client_id: null, identity_id: null, payload: '{}', consumed_at: null };
  const ids = async () =>
    (await store.db.selectFrom('oauth_records').select('id').orderBy('id').execute()).map((row) => row.id);
  await store.write(async ({ db }) => {
    for (const id of ['kept', 'revoked', 'used'])
      await saveRecord(db, { ...record, id, kind: 'RefreshToken', expires_at: deps.clock.now() + 1000 });
  });
  await backupData(dataDir, backup, deps);
  await store.write(async ({ db }) => {
    await deleteRecord(db, 'revoked');
    await consumeRecord(db, 'used', deps.clock.now());
  });
  await restoreData(backup, dataDir, deps);
  assert.deepEqual(await ids(), ['kept']);
});

test('a backup from before the first start gets the keys that a running platform needs', async (t) => {
  const { dataDir, backup, store } = await scene(t);
  await backupData(dataDir, backup, deps);
  await restoreData(backup, dataDir, deps);
  assert.deepEqual((await listSigningKeys(store.db)).map(({ stage }) => stage).sort(), ['current', 'next']);
});

test('a backup is restored into a new folder, as another deployment is recognized', async (t) => {
  const { place, dataDir, backup, store } = await scene(t);
  await set(store, 'deployment_id', 'one');
  await backupData(dataDir, backup, deps);
  const moved = join(place, 'moved');
  assert.equal((await restoreData(backup, moved, deps)).safetyCopy, undefined);
  assert.deepEqual(await readdir(moved), ['cloud.db']);
  const restored = await openStore({ dataDir: moved, log: deps.log });
  assert.equal(await readSetting(restored.db, 'deployment_id'), 'one', 'gateways know the platform by it');
  await restored.close();
  await set(store, 'deployment_id', 'two');
  assert.equal((await restoreData(backup, dataDir, deps)).isOtherDeployment, true);
});

test('a restore into an empty folder ends every token from before, and a key that was withdrawn since does not return', async (t) => {
  const { place, dataDir, backup, store } = await scene(t);
  const kidsOf = async ({ db }: Store): Promise<string[]> => (await listSigningKeys(db)).map(({ kid }) => kid).sort();
  const record = { grant_id: null, client_id: null, identity_id: null, payload: '{}', consumed_at: null };
  await openKeyRing(store, { clock: deps.clock, tokenLifeMs: 1000 });
  await store.write(({ db }) => saveRecord(db, { ...record, id: 'r', kind: 'RefreshToken', expires_at: 9e15 }));
  await backupData(dataDir, backup, deps);
  const leaked = await kidsOf(store);

  const moved = join(place, 'moved');
  await restoreData(backup, moved, deps);
  const copy = await openStore({ dataDir: moved, log });
  t.after(() => copy.close());
  const renewed = await kidsOf(copy);
  assert.equal(renewed.length, 2);
  assert.deepEqual(
    renewed.filter((kid) => leaked.includes(kid)),
    [],
  );
  assert.notEqual(await readSetting(copy.db, 'challenge_secret'), await readSetting(store.db, 'challenge_secret'));
  assert.deepEqual(await copy.db.selectFrom('oauth_records').select('id').execute(), []);

  await store.write(({ db }) => endAllTokens(db, deps.clock.now()));
  const current = await kidsOf(store);
  await restoreData(backup, dataDir, deps);
  assert.deepEqual(await kidsOf(store), current);
});

test('a backup of a newer program is refused and nothing is touched', async (t) => {
  const { place, dataDir, backup, store } = await scene(t);
  await ofTheFuture(store);
  await backupData(dataDir, backup, deps);
  const other = join(place, 'other');
  await mkdir(other);
  const live = await openStore({ dataDir: other, log });
  t.after(() => live.close());
  await assert.rejects(restoreData(backup, other, deps), (error) => {
    assert.ok(error instanceof DatabaseTooNew);
    assert.equal(error.message, 'The backup was made by a newer Ohmstead (1.2.3); restore it with that version.');
    return true;
  });
  assert.deepEqual((await readdir(other)).sort(), ['cloud.db', 'cloud.db-shm', 'cloud.db-wal']);
});

test('a database of a newer program is replaced by an older backup', async (t) => {
  const { dataDir, backup, store } = await scene(t);
  await backupData(dataDir, backup, deps);
  await ofTheFuture(store);
  await restoreData(backup, dataDir, deps);
  await (await openStore({ dataDir, log })).close();
});

test('data that cannot be read is not overwritten', async (t) => {
  const { place, dataDir, backup } = await scene(t);
  await backupData(dataDir, backup, deps);
  const broken = join(place, 'broken');
  await mkdir(broken);
  await writeFile(join(broken, 'cloud.db'), 'this is not a database, '.repeat(1000));
  await assert.rejects(restoreData(backup, broken, deps), {
    message: /cannot be saved first.* is damaged.*into a new folder\.$/,
  });
  assert.deepEqual(await readdir(broken), ['cloud.db']);
});

test('a restore that is stopped in time changes nothing', async (t) => {
  const { dataDir, backup, store } = await scene(t);
  await backupData(dataDir, backup, deps);
  await set(store, 'color', 'blue');
  await assert.rejects(restoreData(backup, dataDir, { ...deps, signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(await readSetting(store.db, 'color'), 'blue');
});

test('a failed restore reports where the earlier data is', async (t) => {
  const { dataDir, backup } = await changedSinceBackup(t);
  await rm(join(dataDir, 'notes'));
  await mkdir(join(dataDir, 'notes')); // no file can take its place
  const safetyCopy = join(dataDir, 'before-restore-2026-06-01T12-00-00-000Z');
  await assert.rejects(restoreData(backup, dataDir, deps), ({ message }: Error) => {
    assert.ok(message.startsWith(`The platform is partly replaced; the earlier data is in ${safetyCopy}. `), message);
    return true;
  });
  await verifyBackup(safetyCopy);
});

test('a restore that has begun to replace data is not stopped', async (t) => {
  const { dataDir, backup, store } = await changedSinceBackup(t);
  const stopping = new AbortController();
  await restoreData(backup, dataDir, { ...deps, signal: stopping.signal, onProgress: () => stopping.abort() });
  assert.equal(await readSetting(store.db, 'color'), 'green');
  assert.equal(await readFile(join(dataDir, 'notes'), 'utf8'), 'old');
});

test('a restore is repeated after one that died before it had replaced anything', async (t) => {
  const { place, dataDir, backup, store } = await scene(t);
  await set(store, 'color', 'green');
  await backupData(dataDir, backup, deps);
  const other = join(place, 'other');
  await mkdir(other);
  await writeFile(join(other, 'cloud.db'), '');
  const { isOtherDeployment } = await restoreData(backup, other, deps);
  assert.equal(isOtherDeployment, false);
  const restored = await openStore({ dataDir: other, log });
  t.after(() => restored.close());
  assert.equal(await readSetting(restored.db, 'color'), 'green');
});

test('revocations are carried over from a database that lacks a table', async (t) => {
  const { dataDir, backup, store } = await scene(t);
  await backupData(dataDir, backup, deps);
  await store.write(async ({ db }) => {
    await revokeToken(db, { jti: 'tok-1', expires_at: deps.clock.now() + 1000 });
    await db.schema.dropTable('oauth_records').execute();
  });
  await restoreData(backup, dataDir, deps);
  assert.equal(await isRevoked(store.db, 'tok-1'), true);
});
