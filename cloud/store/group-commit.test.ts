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

test('of changes that come together one that fails is undone alone', async (t) => {
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

test('a change sees those before it, and no reader sees any before all are committed', async (t) => {
  await using engine = await openEngine(t);
  const first = engine.transaction(note('first'));
  const second = engine.transaction(async (db) => [
    await readSetting(db, 'first'),
    await readSetting(engine.db, 'first'),
  ]);
  assert.deepEqual(await Promise.all([first, second]), ['first', ['first', undefined]]);
});

test('whoever shares a commit that fails is told so, and the next changes go on', async () => {
  let isFull = true;
  const said: string[] = [];
  const line = {
    isInTransaction: true,
    synced: async () => {},
    exec(sql: string): void {
      said.push(sql);
      if (sql === 'commit' && isFull) throw new Error('the disk is full');
    },
  };
  const transaction = groupCommit({} as Db, line);
  const both = await Promise.allSettled([transaction(async () => 1), transaction(async () => 2)]);
  assert.deepEqual(
    both.map((outcome) => outcome.status === 'rejected' && outcome.reason.message),
    ['the disk is full', 'the disk is full'],
  );
  assert.equal(said.at(-1), 'rollback');
  isFull = false;
  assert.equal(await transaction(async () => 3), 3);
});

test('when the database undoes everything by itself, all who came together are told why', async () => {
  const line = { isInTransaction: false, exec: (): void => {}, synced: async () => {} };
  const transaction = groupCommit({} as Db, line);
  const full = new Error('the disk is full');
  const both = await Promise.allSettled([transaction(async () => 1), transaction(() => Promise.reject(full))]);
  assert.deepEqual(
    both.map((outcome) => outcome.status === 'rejected' && outcome.reason),
    [full, full],
  );
});

test('nobody is answered before the commit is on disk, and all are told when it cannot be', async () => {
  const disk = Promise.withResolvers<void>();
  const broken = new Error('the disk is broken');
  let commits = 0;
  const synced = (): Promise<void> => (commits++ === 0 ? disk.promise : Promise.reject(broken));
  const transaction = groupCommit({} as Db, { isInTransaction: false, exec: () => {}, synced });
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
