import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { Memory, remembered } from './remembered.ts';
import { readSetting, writeSetting } from './settings.ts';
import { openStore } from './store.ts';

const log = createLog({ level: 'silent', name: 'test' });

/** A memory that hears by hand what was read and written, and how often something had to be made. */
function byHand() {
  const others = { version: 1 };
  const memory = new Memory(() => others.version);
  let made = 0;
  const ask = (key: string, reads: ReadonlySet<string>, rows = 1) =>
    memory.remember(key, async () => {
      memory.read(reads, rows);
      made += 1;
      return key;
    });
  return { memory, others, ask, made: () => made };
}

const names = new Set(['sites', 'sites.name']);
const roles = new Set(['members', 'members.role']);

for (const { says, writes, made } of [
  { says: 'a column that was read', writes: ['sites.name'], made: 2 },
  { says: 'rows of a table that was read', writes: ['sites'], made: 2 },
  { says: 'another column', writes: ['sites.fuse_a'], made: 1 },
  { says: 'another table', writes: ['members', 'members.role'], made: 1 },
]) {
  test(`after ${says} was written it is made ${made === 1 ? 'once' : 'anew'}`, async () => {
    const { memory, ask, made: count } = byHand();
    await ask('a', names);
    memory.written(new Set(writes));
    assert.equal(await ask('a', names), 'a');
    assert.equal(count(), made);
  });
}

test('what was made while it was written is not kept', async () => {
  const { memory, made, ask } = byHand();
  await ask('a', names);
  const late = memory.remember('late', async () => {
    memory.read(names, 1);
    memory.written(names);
    return 'late';
  });
  assert.equal(await late, 'late');
  assert.equal(await memory.remember('late', async () => 'new'), 'new');
  await ask('a', names);
  assert.equal(made(), 2);
});

test('that an id is unknown is not kept, so invented ids evict nothing', async () => {
  const { memory, made, ask } = byHand();
  await ask('a', names);
  for (let id = 0; id < 25_000; id++) await memory.remember(`invented ${id}`, async () => undefined);
  await ask('a', names);
  assert.equal(made(), 1);
});

test('what was made of something remembered lasts no longer than that', async () => {
  const { memory, ask } = byHand();
  await ask('inner', names);
  const outer = async (): Promise<string> => `${await ask('inner', names)} ${turn}`;
  let turn = 1;
  assert.equal(await memory.remember('outer', outer), 'inner 1');
  turn = 2;
  assert.equal(await memory.remember('outer', outer), 'inner 1');
  memory.written(names);
  assert.equal(await memory.remember('outer', outer), 'inner 2');
});

test('a commit of another process ends all of it at the next turn', async () => {
  const { others, ask, made } = byHand();
  await ask('a', names);
  await ask('b', roles);
  others.version += 1;
  await nextTurn();
  await ask('a', names);
  await ask('b', roles);
  assert.equal(made(), 4);
});

test('the oldest is forgotten when there are too many', async () => {
  const { ask, made } = byHand();
  for (let count = 0; count < 30; count++) await ask(`page ${count}`, names, 1000);
  await ask('page 29', names, 1000);
  assert.equal(made(), 30);
  await ask('page 0', names, 1000);
  assert.equal(made(), 31);
});

test('what another process on the same file writes is seen', async (t) => {
  const dataDir = temporaryFolder(t);
  const ours = await openStore({ dataDir, log });
  const theirs = await openStore({ dataDir, log });
  const read = () => remembered(ours.db, 'word', () => readSetting(ours.db, 'word'));
  const write = (word: string) => theirs.write(({ db }) => writeSetting(db, 'word', word));
  assert.equal(await read(), undefined);
  for (const word of ['one', 'two']) {
    await write(word);
    assert.equal(await read(), word);
    assert.equal(read(), word); // at once
  }
  await ours.write(({ db }) => writeSetting(db, 'word', 'ours'));
  assert.equal(await read(), 'ours');
  await theirs.close();
  await ours.close();
});

test('a transaction reads what it wrote, and not what is remembered', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await openStore({ dataDir, log });
  await remembered(store.db, 'word', () => readSetting(store.db, 'word'));
  await store.write(async ({ db }) => {
    await writeSetting(db, 'word', 'new');
    assert.equal(await remembered(db, 'word', () => readSetting(db, 'word')), 'new');
    assert.equal(await remembered(store.db, 'word', () => readSetting(store.db, 'word')), undefined);
  });
  assert.equal(await remembered(store.db, 'word', () => readSetting(store.db, 'word')), 'new');
  await store.close();
});
