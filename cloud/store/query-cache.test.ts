import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { cached, QueryCache } from './query-cache.ts';
import { readSetting, writeSetting } from './settings.ts';
import { openStore } from './store.ts';

const log = createLog({ level: 'silent', name: 'test' });

/** Creates a cache whose reads and writes the test reports, and counts how often a value is loaded. */
function byHand() {
  const others = { version: 1 };
  const cache = new QueryCache(() => others.version);
  let made = 0;
  const ask = (key: string, reads: ReadonlySet<string>, rows = 1) =>
    cache.getOrLoad(key, async () => {
      cache.onRead(reads, rows);
      made += 1;
      return key;
    });
  return { cache, others, ask, made: () => made };
}

const names = new Set(['sites', 'sites.name']);
const roles = new Set(['members', 'members.role']);

for (const { says, writes, made } of [
  { says: 'a column that was read', writes: ['sites.name'], made: 2 },
  { says: 'rows of a table that was read', writes: ['sites'], made: 2 },
  { says: 'another column', writes: ['sites.fuse_a'], made: 1 },
  { says: 'another table', writes: ['members', 'members.role'], made: 1 },
]) {
  test(`a write to ${says} ${made === 1 ? 'keeps' : 'invalidates'} the entry`, async () => {
    const { cache, ask, made: count } = byHand();
    await ask('a', names);
    cache.onWritten(new Set(writes));
    assert.equal(await ask('a', names), 'a');
    assert.equal(count(), made);
  });
}

test('a value that was loaded during a write is not cached', async () => {
  const { cache, made, ask } = byHand();
  await ask('a', names);
  const late = cache.getOrLoad('late', async () => {
    cache.onRead(names, 1);
    cache.onWritten(names);
    return 'late';
  });
  assert.equal(await late, 'late');
  assert.equal(await cache.getOrLoad('late', async () => 'new'), 'new');
  await ask('a', names);
  assert.equal(made(), 2);
});

test('unknown ids are not cached, so invented ids evict nothing', async () => {
  const { cache, made, ask } = byHand();
  await ask('a', names);
  for (let id = 0; id < 25_000; id++) await cache.getOrLoad(`invented ${id}`, async () => undefined);
  await ask('a', names);
  assert.equal(made(), 1);
});

test('a value made of a cached value is invalidated with it', async () => {
  const { cache, ask } = byHand();
  await ask('inner', names);
  const outer = async (): Promise<string> => `${await ask('inner', names)} ${turn}`;
  let turn = 1;
  assert.equal(await cache.getOrLoad('outer', outer), 'inner 1');
  turn = 2;
  assert.equal(await cache.getOrLoad('outer', outer), 'inner 1');
  cache.onWritten(names);
  assert.equal(await cache.getOrLoad('outer', outer), 'inner 2');
});

test('a commit of another process invalidates everything at the next turn of the event loop', async () => {
  const { others, ask, made } = byHand();
  await ask('a', names);
  await ask('b', roles);
  others.version += 1;
  await nextTurn();
  await ask('a', names);
  await ask('b', roles);
  assert.equal(made(), 4);
});

test('the oldest entry is evicted when there are too many', async () => {
  const { ask, made } = byHand();
  for (let count = 0; count < 30; count++) await ask(`page ${count}`, names, 1000);
  await ask('page 29', names, 1000);
  assert.equal(made(), 30);
  await ask('page 0', names, 1000);
  assert.equal(made(), 31);
});

test('writes of another process to the same file are seen', async (t) => {
  const dataDir = temporaryFolder(t);
  const ours = await openStore({ dataDir, log });
  const theirs = await openStore({ dataDir, log });
  const read = () => cached(ours.db, 'word', () => readSetting(ours.db, 'word'));
  const write = (word: string) => theirs.write(({ db }) => writeSetting(db, 'word', word));
  assert.equal(await read(), undefined);
  for (const word of ['one', 'two']) {
    await write(word);
    assert.equal(await read(), word);
    assert.equal(read(), word); // synchronously
  }
  await ours.write(({ db }) => writeSetting(db, 'word', 'ours'));
  assert.equal(await read(), 'ours');
  await theirs.close();
  await ours.close();
});

test('a transaction reads its own writes, not the cache', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await openStore({ dataDir, log });
  await cached(store.db, 'word', () => readSetting(store.db, 'word'));
  await store.write(async ({ db }) => {
    await writeSetting(db, 'word', 'new');
    assert.equal(await cached(db, 'word', () => readSetting(db, 'word')), 'new');
    assert.equal(await cached(store.db, 'word', () => readSetting(store.db, 'word')), undefined);
  });
  assert.equal(await cached(store.db, 'word', () => readSetting(store.db, 'word')), 'new');
  await store.close();
});
