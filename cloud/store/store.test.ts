import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseTooNew } from '#lib/database-too-new.ts';
import { createLog } from '#lib/log.ts';
import { someOf } from '#test/amount.ts';
import { engines } from '#test/cloud/open-cloud.ts';
import { freshDatabase } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import type { Change } from './changes.ts';
import { migrations } from './migrate.ts';
import { openStore, type StoreOptions, sqliteFile } from './store.ts';

type Ended = [code: number | null, signal: NodeJS.Signals | null];

const log = createLog({ level: 'silent', name: 'test' });

for (const { engine, skip } of engines) {
  describe(`the store on ${engine}`, { skip }, () => {
    async function place(t: TestContext): Promise<StoreOptions> {
      const database = engine === 'postgres' ? await freshDatabase() : undefined;
      t.after(() => database?.drop());
      return { dataDir: temporaryFolder(t), databaseUrl: database?.url, log };
    }

    test('a transaction that fails half-way leaves nothing, and its after-effects do not run', async (t) => {
      const options = await place(t);
      const store = await openStore(options);
      let effects = 0;
      const failing = store.write(async ({ db, afterCommit }) => {
        await db.insertInto('settings').values({ name: 'half', value: 'done' }).execute();
        afterCommit(() => effects++);
        throw new Error('stop');
      });
      await assert.rejects(failing, /stop/);
      assert.equal(await store.db.selectFrom('settings').selectAll().executeTakeFirst(), undefined);
      assert.equal(effects, 0);
      await store.write(async ({ afterCommit }) => afterCommit(() => effects++));
      assert.equal(effects, 1);
      await store.close();
    });

    test('write resolves after every listener has handled the change', async (t) => {
      const store = await openStore(await place(t));
      const heard: Change[] = [];
      store.onChange(async (change) => {
        await delay(20);
        heard.push(change);
      });
      await store.write(({ announce }) => announce({ what: 'gateway', serial: 'g' }));
      assert.ok(heard.some(({ what }) => what === 'gateway'));
      await store.close();
    });

    test('concurrent increments are all counted', async (t) => {
      const options = await place(t);
      const store = await openStore(options);
      const add = () =>
        store.write(async ({ db }) => {
          const row = await db.selectFrom('settings').where('name', '=', 'n').select('value').executeTakeFirst();
          const value = String(Number(row?.value ?? 0) + 1);
          await db
            .insertInto('settings')
            .values({ name: 'n', value })
            .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
            .execute();
        });
      await Promise.all(Array.from({ length: 8 }, add));
      const row = await store.db.selectFrom('settings').select('value').executeTakeFirstOrThrow();
      assert.equal(row.value, '8');
      await store.close();
    });

    test('processes that start at the same time migrate once', async (t) => {
      const options = await place(t);
      const starts = await Promise.all(Array.from({ length: 4 }, () => openInChild(options)));
      assert.deepEqual(
        starts.map(([code]) => code),
        [0, 0, 0, 0],
      );
    });

    const steps = [...migrations.entries()];
    // Each takes two starts: a short run kills one in every fifth migration and in the newest.
    for (const [step, { name }] of new Set([...someOf(steps), ...steps.slice(-1)])) {
      test(`a start that is killed in ${name}, before its commit, is continued by the next start`, async (t) => {
        const options = await place(t);
        const [, signal] = await openInChild(options, step);
        assert.equal(signal, 'SIGKILL');
        const store = await openStore(options);
        await store.db.selectFrom('cell_ders').selectAll().execute();
        await store.close();
      });
    }

    test('a database of a newer version is refused', async (t) => {
      const options = await place(t);
      const store = await openStore(options);
      await store.write(async ({ db }) => {
        await db
          .insertInto('migrations' as never)
          .values({ name: '999-from-the-future' })
          .execute();
      });
      await store.close();
      await assert.rejects(
        openStore(options),
        (error) => error instanceof DatabaseTooNew && /newer Ohmstead/.test(error.message),
      );
    });
  });
}

test('only its owner can read the database file', async (t) => {
  const dataDir = temporaryFolder(t);
  const previous = process.umask(0);
  const store = await openStore({ dataDir, log });
  process.umask(previous);
  await store.write(({ db }) => db.insertInto('settings').values({ name: 'a', value: 'b' }).execute());
  for (const suffix of ['', '-wal', '-shm']) {
    assert.equal((await stat(sqliteFile(dataDir) + suffix)).mode & 0o777, 0o600, suffix);
  }
  await store.close();
});

for (const { says, errcode, isPassing } of [
  { says: 'a file that is locked', errcode: 5, isPassing: true },
  { says: 'a file that is being recovered', errcode: 261, isPassing: true },
  { says: 'a disk that does not take a write', errcode: 778, isPassing: true },
  { says: 'a disk that is full', errcode: 13, isPassing: true },
  { says: 'a duplicate key', errcode: 1555, isPassing: false },
]) {
  test(`${says} is ${isPassing ? 'a transient error' : 'not a transient error'}`, async (t) => {
    const dataDir = temporaryFolder(t);
    const store = await openStore({ dataDir, log });
    assert.equal(store.isUnavailable(Object.assign(new Error(says), { errcode })), isPassing);
    await store.close();
  });
}

/** Opens the store in another process, which exits or is killed at the end of a migration step; returns how it ended. */
async function openInChild({ dataDir, databaseUrl }: StoreOptions, dyingIn?: number): Promise<Ended> {
  const script = `
    import { migrations } from '#cloud/store/migrate.ts';
    import { openStore } from '#cloud/store/store.ts';
    import { createLog } from '#lib/log.ts';
    const step = migrations[${dyingIn}];
    const up = step?.up;
    if (step) step.up = (db) => up(db).then(() => process.kill(process.pid, 'SIGKILL'));
    const store = await openStore({ ...${JSON.stringify({ dataDir, databaseUrl })}, log: createLog({ level: 'silent', name: 'child' }) });
    await store.db.selectFrom('cell_ders').selectAll().execute();
    await store.close();
  `;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], { stdio: 'inherit' });
  return (await once(child, 'exit')) as Ended;
}
