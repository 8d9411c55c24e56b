import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createKeptLog } from '#test/gateway/open-local.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { createMarkers } from '../control/control-journal.ts';
import { beginReset, finishReset, resetGateway } from './factory-reset.ts';

async function usedFolder(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  for (const path of ['identity', 'devices', 'outbox', 'control']) await mkdir(join(folder, path));
  const files = [
    'identity/key.pem',
    'devices/a.json',
    'outbox/1.log',
    'control/m.json',
    'mqtt.json',
    'local-token',
    'lock',
  ];
  for (const file of files) await writeFile(join(folder, file), 'secret');
  return folder;
}

test('a folder without a reset is not changed', async (t) => {
  const folder = await usedFolder(t);
  const before = await readdir(folder, { recursive: true });
  assert.equal(await finishReset(folder), false);
  assert.deepEqual(await readdir(folder, { recursive: true }), before);
});

test('a reset keeps the identity and nothing else', async (t) => {
  const folder = await usedFolder(t);
  await beginReset(folder);
  assert.equal(await finishReset(folder), true);
  assert.deepEqual((await readdir(folder, { recursive: true })).toSorted(), ['identity', 'identity/key.pem', 'lock']);
  assert.equal(await readFile(join(folder, 'identity/key.pem'), 'utf8'), 'secret');
  assert.equal(await finishReset(folder), false);
});

test('a reset keeps the files of the file system when the folder is the root of a disk', async (t) => {
  const folder = await usedFolder(t);
  await mkdir(join(folder, 'lost+found'));
  await beginReset(folder);
  assert.equal(await finishReset(folder), true);
  assert.deepEqual((await readdir(folder)).toSorted(), ['identity', 'lock', 'lost+found']);
});

test('the marker of a device under control is kept until the device is released, and nothing else', async (t) => {
  const folder = await usedFolder(t);
  const markers = createMarkers(join(folder, 'control'));
  const marker = { id: 'a', sn: 'BAT-1' } as Parameters<typeof markers.write>[0];
  await markers.write(marker);
  await writeFile(join(folder, 'control', 'commands.log'), 'secret');
  await beginReset(folder);
  assert.equal(await finishReset(folder), true);
  assert.deepEqual((await readdir(folder)).toSorted(), ['control', 'identity', 'lock']);
  assert.equal((await readdir(join(folder, 'control'))).length, 1);
  assert.deepEqual((await markers.load()).markers, [marker]);

  await markers.remove('BAT-1');
  await beginReset(folder);
  assert.equal(await finishReset(folder), true);
  assert.deepEqual((await readdir(folder)).toSorted(), ['identity', 'lock']);
});

for (const fails of ['removeDevices', 'clearBroker', 'forgetWifi'] as const) {
  test(`a reset that has begun is completed although ${fails} fails`, async (t) => {
    const folder = await usedFolder(t);
    const { log, lines } = createKeptLog();
    const done: string[] = [];
    const part = (name: string) => async (): Promise<void> => {
      if (name === fails) throw new Error(`${name} was refused`);
      done.push(name);
    };
    const { isWifiForgotten } = await resetGateway({
      dataDir: folder,
      removeDevices: part('removeDevices'),
      clearBroker: part('clearBroker'),
      forgetWifi: part('forgetWifi'),
      log,
    });
    assert.equal(isWifiForgotten, fails !== 'forgetWifi');
    assert.equal(done.length, 2);
    assert.equal(lines.filter((line) => line.includes(`${fails} was refused`)).length, 1);
    assert.equal(await finishReset(folder), true);
    assert.deepEqual((await readdir(folder)).toSorted(), ['identity', 'lock']);
  });
}

test('a reset that cannot begin fails and deletes nothing', async (t) => {
  const folder = join(temporaryFolder(t), 'nowhere');
  const never = (): Promise<void> => assert.fail('it has not begun');
  const { log } = createKeptLog();
  const parts = { dataDir: folder, removeDevices: never, clearBroker: never, forgetWifi: never, log };
  await assert.rejects(resetGateway(parts), { code: 'ENOENT' });
});

for (const gone of ['devices', 'outbox', 'mqtt.json', 'local-token']) {
  test(`a reset that was interrupted after ${gone} is completed`, async (t) => {
    const folder = await usedFolder(t);
    await beginReset(folder);
    await rm(join(folder, gone), { recursive: true });
    assert.equal(await finishReset(folder), true);
    assert.deepEqual((await readdir(folder)).toSorted(), ['identity', 'lock']);
  });
}
