import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKeptLog } from '#test/gateway/open-local.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { readJsonOrWarn, writeJson } from './atomic-file.ts';

test('stored JSON is read; damaged JSON is logged once and moved aside', async (t) => {
  const { log, lines } = createKeptLog();
  const path = join(temporaryFolder(t), 'kept.json');
  const read = () => readJsonOrWarn(path, 'the list was damaged and set aside', log);
  assert.equal(await read(), undefined);
  await writeJson(path, [1, 2]);
  assert.deepEqual(await read(), [1, 2]);
  assert.deepEqual(lines, []);
  await writeFile(path, '[1, 2]');
  assert.equal(await read(), undefined);
  assert.equal(await read(), undefined);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /kept\.json\.damaged-.*the list was damaged and set aside/);
});
