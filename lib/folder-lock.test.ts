import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { kill } from '#test/end-process.ts';
import { startStopwatch } from '#test/stopwatch.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { FolderInUse, lockFolder } from './folder-lock.ts';

const holder = `
  const { lockFolder } = await import(process.argv[1]);
  lockFolder(process.argv[2]);
  gc();
  console.log('held');
  setInterval(() => {}, 1000);
`;

async function holdElsewhere(t: TestContext, folder: string): Promise<ChildProcess> {
  const module = new URL('./folder-lock.ts', import.meta.url).href;
  const args = ['--expose-gc', '--input-type=module', '-e', holder, module, folder];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('a missing folder is made for its owner only', (t) => {
  const folder = join(temporaryFolder(t), 'deep', 'data');
  lockFolder(folder).release();
  assert.equal(modeOf(folder), 0o700);
});

test('the mode of a folder that was there is left alone', (t) => {
  const folder = join(temporaryFolder(t), 'data');
  mkdirSync(folder);
  chmodSync(folder, 0o750);
  lockFolder(folder).release();
  assert.equal(modeOf(folder), 0o750);
});

test('a folder is locked once, also within a process, until it is released', (t) => {
  const folder = temporaryFolder(t);
  const lock = lockFolder(folder);
  assert.throws(() => lockFolder(folder), FolderInUse);
  lock.release();
  lock.release();
  lockFolder(folder).release();
});

test('a folder held by another process is refused by name', async (t) => {
  const folder = temporaryFolder(t);
  await holdElsewhere(t, folder);
  const stopwatch = startStopwatch();
  assert.throws(() => lockFolder(folder), {
    name: 'FolderInUse',
    message: new RegExp(`The folder ${folder} is in use`),
  });
  assert.ok(stopwatch.ms() < 2000); // SQLite would wait for five seconds if we let it
});

test('a killed process releases its lock', async (t) => {
  const folder = temporaryFolder(t);
  const child = await holdElsewhere(t, folder);
  await kill(child);
  assert.deepEqual(readdirSync(folder), ['lock']);
  lockFolder(folder).release();
});

test('a lock file with other content is not mistaken for a lock', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'lock'), 'x'.repeat(4096));
  assert.throws(
    () => lockFolder(folder),
    (error) => !(error instanceof FolderInUse),
  );
});
