import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import type { Db } from './engine.ts';
import { groupCommit } from './group-commit.ts';
import { migrate } from './migrate.ts';
import { readSetting, writeSetting } from './settings.ts';
import { openSqlite } from './sqlite.ts';

async function openEngine(t: TestContext) {
  const engine = openSqlite(join(temporaryFolder(t), 'cloud.db'));
  await migrate(engine);
  return { ...engine, [Symbol.asyncDispose]: () => engine.close() };
}

const note =
  (name: string) =>
  async (db: Db): Promise<string> => {
    await writeSetting(db, name, name);
    return name;
  };

test('a transaction that fails is rolled back alone, not with its group', async (t) => {
  await using engine = await openEngine(t);
  const outcomes = await Promise.allSettled([
    engine.transaction(note('first')),
    engine.transaction(async (db) => {
      await note('failed')(db);
      throw new Error('on purpose');
    }),
    engine.transaction(note('last')),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(await readSetting(engine.db, 'first'), 'first');
  assert.equal(await readSetting(engine.db, 'failed'), undefined);
  assert.equal(await readSetting(engine.db, 'last'), 'last');
});

test('a transaction sees those before it, and readers see none before the group is committed', async (t) => {
  await using engine = await openEngine(t);
  const first = engine.transaction(note('first'));
  const second = engine.transaction(async (db) => [
    await readSetting(db, 'first'),
    await readSetting(engine.db, 'first'),
  ]);
  assert.deepEqual(await Promise.all([first, second]), ['first', ['first', undefined]]);
});

test('a failed commit rejects every transaction of its group, and later ones succeed', async () => {
  let isFull = true;
  const said: string[] = [];
  const connection = {
    isInTransaction: true,
    sync: async () => {},
    exec(sql: string): void {
      said.push(sql);
      if (sql === 'commit' && isFull) throw new Error('the disk is full');
    },
  };
  const { transaction } = groupCommit({} as Db, connection);
  const both = await Promise.allSettled([transaction(async () => 1), transaction(async () => 2)]);
  assert.deepEqual(
    both.map((outcome) => outcome.status === 'rejected' && outcome.reason.message),
    ['the disk is full', 'the disk is full'],
  );
  assert.equal(said.at(-1), 'rollback');
  isFull = false;
  assert.equal(await transaction(async () => 3), 3);
});

test('when the database rolls back by itself, every transaction of the group gets the cause', async () => {
  const connection = { isInTransaction: false, exec: (): void => {}, sync: async () => {} };
  const { transaction } = groupCommit({} as Db, connection);
  const full = new Error('the disk is full');
  const both = await Promise.allSettled([transaction(async () => 1), transaction(() => Promise.reject(full))]);
  assert.deepEqual(
    both.map((outcome) => outcome.status === 'rejected' && outcome.reason),
    [full, full],
  );
});

test('no transaction resolves before the commit is on disk, and all reject when the sync fails', async () => {
  const disk = Promise.withResolvers<void>();
  const broken = new Error('the disk is broken');
  let commits = 0;
  const sync = (): Promise<void> => (commits++ === 0 ? disk.promise : Promise.reject(broken));
  const { transaction } = groupCommit({} as Db, { isInTransaction: false, exec: () => {}, sync });
  let answered = 0;
  const first = transaction(async () => 1).then(() => answered++);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual([commits, answered], [1, 0]);
  disk.resolve();
  await first;
  assert.equal(answered, 1);
  await assert.rejects(
    transaction(async () => 2),
    broken,
  );
});

test('closing commits the transactions that are waiting, and refuses later ones', async (t) => {
  const engine = openSqlite(join(temporaryFolder(t), 'cloud.db'));
  await migrate(engine);
  const waiting = engine.transaction(note('waiting'));
  const closed = engine.close();
  await assert.rejects(engine.transaction(note('late')), /The database is closed/);
  assert.equal(await waiting, 'waiting');
  await closed;
});
