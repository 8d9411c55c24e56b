import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { copyFile, copyFiles, listFiles } from './files.ts';

async function scene(names: readonly string[]) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-files-'));
  const [from, to] = [join(folder.path, 'from'), join(folder.path, 'to')];
  await mkdir(join(from, 'sub'), { recursive: true });
  for (const name of names) await writeFile(join(from, name), name);
  return { from, to, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const pathsOf = (copies: readonly { path: string }[]): string[] => copies.map(({ path }) => path);

suite('the files of a folder in use', () => {
  test('are listed without those of a moment, at any depth', async () => {
    await using place = await scene(['a', 'lock', 'b.tmp', 'sub/lock', 'sub/c.db-wal', 'sub/d', 'sub/manifest.json']);
    for (const name of ['cache', 'before-restore-1', 'sub/before-restore-1']) {
      await mkdir(join(place.from, name));
      await writeFile(join(place.from, name, 'file'), '');
    }
    assert.deepEqual(await listFiles(place.from), ['a', 'sub/d', 'sub/manifest.json']);
  });

  test('are copied without one that goes, and with the one that it became', async () => {
    await using place = await scene(['a', 'b', 'sub/c', 'z']);
    const { from, to } = place;
    const copies = await copyFiles(from, to, {
      async copy(path) {
        if (path === 'a') await rename(join(from, 'sub/c'), join(from, '0'));
        if (path === 'b') await rm(join(from, 'z'));
        return copyFile(join(from, path), join(to, path));
      },
    });
    assert.deepEqual(pathsOf(copies).sort(), ['0', 'a', 'b']);
    assert.deepEqual((await readdir(to)).filter((name) => name !== 'sub').sort(), ['0', 'a', 'b']);
    assert.deepEqual(await readdir(join(to, 'sub')), []);
    assert.equal(await readFile(join(to, '0'), 'utf8'), 'sub/c');
  });

  test('are given up when they never stay', async () => {
    await using place = await scene(['0']);
    const { from, to } = place;
    let count = 0;
    const copying = copyFiles(from, to, {
      async copy(path) {
        await rename(join(from, path), join(from, String(++count)));
        return copyFile(join(from, path), join(to, path));
      },
    });
    await assert.rejects(copying, /change too fast to be copied; stop what writes them, and try again\.$/);
  });

  test('that cannot be read end the copy', async () => {
    await using place = await scene(['a']);
    const failing = copyFiles(place.from, place.to, { copy: () => Promise.reject(new Error('no room')) });
    await assert.rejects(failing, /no room/);
  });
});
