import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { readJson, writeAtomic, writeJson } from './atomic-file.ts';

suite('an atomic file', async () => {
  const folder = temporaryFolder({ after });
  let files = 0;
  const freshPath = () => join(folder, `${files++}.json`);

  test('is read as it was written', async () => {
    const path = freshPath();
    for (const data of [{ b: 1, 2: 'x', 1: null, __proto__x: [0, -0, 1e21, 'å\u2028'] }, [], 'text', 0, null]) {
      await writeJson(path, data);
      assert.deepEqual(await readJson(path), { data: JSON.parse(JSON.stringify(data)) });
    }
  });

  test('that is not there is undefined', async () => {
    assert.equal(await readJson(freshPath()), undefined);
  });

  test('that cannot be read is an error, not damage', async () => {
    await assert.rejects(readJson(folder), { code: 'EISDIR' });
  });

  test('is readable by its owner only unless a mode is set, even if a temporary file was left behind', async () => {
    const path = freshPath();
    await writeFile(`${path}.tmp`, 'left over');
    await chmod(`${path}.tmp`, 0o666);
    await writeAtomic(path, 'secret');
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    await writeAtomic(path, 'open', { mode: 0o640 });
    assert.equal((await stat(path)).mode & 0o777, 0o640);
    assert.equal(await readFile(path, 'utf8'), 'open');
  });

  test('is not written through a planted symbolic link', async () => {
    const path = freshPath();
    const elsewhere = freshPath();
    await writeFile(elsewhere, 'theirs');
    await symlink(elsewhere, `${path}.tmp`);
    await symlink(elsewhere, path);
    await writeAtomic(path, 'ours');
    assert.equal(await readFile(elsewhere, 'utf8'), 'theirs');
    assert.equal(await readFile(path, 'utf8'), 'ours');
  });

  test('that must be new replaces nothing', async () => {
    const path = freshPath();
    await writeAtomic(path, 'first', { isNew: true });
    await assert.rejects(writeAtomic(path, 'second', { isNew: true }), { code: 'EEXIST' });
    assert.equal(await readFile(path, 'utf8'), 'first');
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.tmp')),
      [],
    );
  });

  test('written many times at once holds the last', async () => {
    const path = freshPath();
    await Promise.all(Array.from({ length: 50 }, (_, number) => writeJson(path, { number })));
    assert.deepEqual(await readJson(path), { data: { number: 49 } });
  });

  test('can be written after a write that failed', async () => {
    const inside = join(folder, 'later');
    const path = join(inside, 'file.json');
    await assert.rejects(writeJson(path, 1), { code: 'ENOENT' });
    const [, second] = await Promise.allSettled([writeJson(path, 2), mkdir(inside).then(() => writeJson(path, 3))]);
    assert.equal(second.status, 'fulfilled');
    assert.deepEqual(await readJson(path), { data: 3 });
  });

  test('can be written by a caller that waited for a failed write', async () => {
    const path = freshPath();
    await writeAtomic(path, 'first');
    const [refused, second] = await Promise.allSettled([
      writeAtomic(path, 'new', { isNew: true }),
      writeAtomic(path, 'second'),
    ]);
    assert.deepEqual([refused.status, second.status], ['rejected', 'fulfilled']);
    assert.equal(await readFile(path, 'utf8'), 'second');
  });

  const whole = JSON.stringify({ sha256: '', data: { a: 1 } });
  for (const { says, text } of [
    { says: 'an empty file', text: '' },
    { says: 'half a file', text: whole.slice(0, 12) },
    { says: 'zeros', text: '\0'.repeat(64) },
    { says: 'a wrong checksum', text: whole },
    { says: 'no checksum', text: '{"data":{"a":1}}' },
    { says: 'no data', text: '{"sha256":"x"}' },
    { says: 'a bare null', text: 'null' },
  ]) {
    test(`${says} is moved aside and reported`, async () => {
      const path = freshPath();
      await writeFile(path, text);
      const found = await readJson(path);
      assert.match(found?.damaged ?? '', /\.json\.damaged-\d{8}T\d{9}Z$/);
      assert.equal(await readFile(found!.damaged!, 'utf8'), text);
      assert.equal(await readJson(path), undefined);
    });
  }

  test('every flipped bit of the data is noticed', async () => {
    const path = freshPath();
    await writeJson(path, { power_w: 1500 });
    const bytes = await readFile(path);
    const start = bytes.indexOf('1500');
    for (let bit = 0; bit < 32; bit++) {
      const changed = Buffer.from(bytes);
      changed[start + (bit >> 3)]! ^= 1 << (bit & 7);
      await writeFile(path, changed);
      assert.ok((await readJson(path))?.damaged, `bit ${bit}`);
    }
  });

  test('is on disk before it has its name, and has its name on disk before the write returns', async (t) => {
    const probe = await open(folder, 'r');
    const handles = Object.getPrototypeOf(probe) as FileHandle;
    await probe.close();
    const path = freshPath();
    const synced: { what: string; isNamed: boolean }[] = [];
    const { sync } = handles;
    t.mock.method(handles, 'sync', async function watching(this: FileHandle): Promise<void> {
      const status = await this.stat();
      synced.push({ what: status.isDirectory() ? 'folder' : `${status.size} bytes`, isNamed: existsSync(path) });
      await sync.call(this);
    });
    await writeAtomic(path, 'text');
    assert.deepEqual(synced, [
      { what: '4 bytes', isNamed: false },
      { what: 'folder', isNamed: true },
    ]);
  });

  // A kill leaves what was written in the page cache, so this is about the order of the steps; the syncs are for a power cut.
  test('is whole after each of 30 kills', { timeout: 60_000 }, async () => {
    const path = freshPath();
    const writer = `
      import { writeJson } from ${JSON.stringify(new URL('atomic-file.ts', import.meta.url).href)};
      for (let number = 0; ; number++) {
        await writeJson(${JSON.stringify(path)}, { number, filler: String(number % 10).repeat(50_000 + (number % 7) * 10_000) });
        if (number === 0) process.stdout.write('.');
      }`;
    for (let kill = 0; kill < 30; kill++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', writer], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await sleep(Math.random() * 40);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const found = await readJson<{ number: number; filler: string }>(path);
      assert.ok(found?.data, `damaged after kill ${kill}`);
      const { number, filler } = found.data;
      assert.equal(filler, String(number % 10).repeat(50_000 + (number % 7) * 10_000));
    }
  });
});
