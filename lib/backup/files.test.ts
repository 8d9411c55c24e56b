import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { copyAllFiles, copyFile, listFiles } from './files.ts';

async function scene(t: TestContext, names: readonly string[]) {
  const folder = temporaryFolder(t);
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  await mkdir(join(from, 'sub'), { recursive: true });
  for (const name of names) await writeFile(join(from, name), name);
  return { from, to };
}

const pathsOf = (copies: readonly { path: string }[]): string[] => copies.map(({ path }) => path);

suite('the files of a folder in use', () => {
  test('are listed without temporary ones, at any depth', async (t) => {
    const place = await scene(t, ['a', 'lock', 'b.tmp', 'sub/lock', 'sub/c.db-wal', 'sub/d', 'sub/manifest.json']);
    for (const name of ['cache', 'before-restore-1', 'sub/before-restore-1']) {
      await mkdir(join(place.from, name));
      await writeFile(join(place.from, name, 'file'), '');
    }
    assert.deepEqual(await listFiles(place.from), ['a', 'sub/d', 'sub/manifest.json']);
  });

  test('are copied without one that disappears, and with the one that replaced it', async (t) => {
    const { from, to } = await scene(t, ['a', 'b', 'sub/c', 'z']);
    const copies = await copyAllFiles(from, to, {
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

  test('are given up when they keep changing', async (t) => {
    const { from, to } = await scene(t, ['0']);
    let count = 0;
    const copying = copyAllFiles(from, to, {
      async copy(path) {
        await rename(join(from, path), join(from, String(++count)));
        return copyFile(join(from, path), join(to, path));
      },
    });
    await assert.rejects(copying, /change too fast to be copied; stop the program that writes them and try again\.$/);
  });

  test('that cannot be read end the copy', async (t) => {
    const place = await scene(t, ['a']);
    const failing = copyAllFiles(place.from, place.to, { copy: () => Promise.reject(new Error('no room')) });
    await assert.rejects(failing, /no room/);
  });
});
