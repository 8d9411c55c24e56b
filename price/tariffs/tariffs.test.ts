import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { openTariffs, shippedTariffs } from './tariffs.ts';
import { silent } from './testing/tariffs.ts';

const root = temporaryFolder({ after });

let folder = '';
let ownFolder = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'folder-'));
  ownFolder = mkdtempSync(join(root, 'own-'));
  for (const name of ['ellevio.json', 'falu_elnat.json']) copyFileSync(join(shippedTariffs, name), join(folder, name));
});

const clock = createFakeClock(Date.UTC(2026, 0, 1));
const open = () => openTariffs({ folder, ownFolder, clock, log: silent });
const ellevio = readFileSync(join(shippedTariffs, 'ellevio.json'), 'utf8');

test('a missing own folder is logged once, and its appearance is logged, too', async () => {
  const told: string[] = [];
  const destination = { write: (line: string) => void told.push((JSON.parse(line) as { msg: string }).msg) };
  const log = createLog({ level: 'info', name: 'test', destination });
  const later = join(root, 'later');
  const tariffs = openTariffs({ folder, ownFolder: later, clock, log });
  await tariffs.scan();
  await tariffs.scan();
  mkdirSync(later);
  await tariffs.scan();
  assert.deepEqual(told, ['tariff folder (TARIFF_DIR) is missing', 'tariff folder (TARIFF_DIR) found']);
});

test('a half-written file keeps its last valid content and is listed as an error until it is complete', async () => {
  const tariffs = open();
  await tariffs.scan();
  assert.equal(tariffs.book().findProvider('ellevio')?.tariffs.length, 16);

  writeFileSync(join(folder, 'ellevio.json'), ellevio.slice(0, ellevio.length / 2));
  await tariffs.scan();
  assert.equal(tariffs.book().findProvider('ellevio')?.tariffs.length, 16);
  assert.deepEqual(
    tariffs.errors().map(({ file }) => file),
    ['ellevio.json'],
  );
  assert.match(tariffs.errors()[0]!.message, /is not valid JSON/);
  await tariffs.scan();
  assert.equal(tariffs.errors().length, 1, 'it is still broken');
  assert.equal(tariffs.fileCount(), 2);

  writeFileSync(join(folder, 'ellevio.json'), ellevio.replaceAll('Ellevio AB', 'Ellevio'));
  await tariffs.scan();
  assert.deepEqual(tariffs.errors(), []);
  assert.equal(tariffs.book().findProvider('ellevio')?.name, 'Ellevio');
});

for (const [says, text, expected] of [
  ['an empty file', '', /not valid JSON/],
  ['a list', '[]', /file.tariffs: is required/],
  ['a number', '17', /file.tariffs: is required/],
  ['a price that is text', ellevio.replace('[65, 81.25]', '["65", 81.25]'), /power_main.price.0: must be number/],
  ['a misspelt member', ellevio.replace('"valid":', '"validity":'), /validity: is not a known field/],
  [
    'a shared part that does not exist',
    ellevio.replace('"power_main": {', '"power_other": {'),
    /no shared part: "power_main"/,
  ],
  [
    'a part named like a member of Object',
    ellevio.replace(': "power_main"', ': "__proto__"'),
    /is required|no shared part/,
  ],
  ['an invalid id', ellevio.replace('bcf661b4-', 'bcf661b4'), /tariffs.0.id: must be a UUID/],
  [
    'the same id twice',
    ellevio.replace('363b84bb-4d5d-5a97-8068-5e954d7a0fa2', 'bcf661b4-9bad-5b0f-bc71-350a35023c36'),
    /another tariff/,
  ],
] as const) {
  test(`${says} is refused with the reason; the other files are read`, async () => {
    writeFileSync(join(folder, 'ellevio.json'), text);
    const tariffs = open();
    await tariffs.scan();
    assert.match(tariffs.errors()[0]?.message ?? 'no error', expected);
    assert.deepEqual(
      tariffs.book().providers.map(({ id }) => id),
      ['falu_elnat'],
    );
    assert.equal(tariffs.fileCount(), 2);
  });
}

test('a book does not change while files change', async () => {
  const tariffs = open();
  await tariffs.scan();
  const before = tariffs.book();
  rmSync(join(folder, 'ellevio.json'));
  await tariffs.scan();
  assert.ok(before.findProvider('ellevio'));
  assert.equal(tariffs.book().findProvider('ellevio'), undefined);
  assert.equal(tariffs.fileCount(), 1);
});

test('an own file replaces the shipped one of the same name until it is deleted', async () => {
  const tariffs = open();
  writeFileSync(join(ownFolder, 'ellevio.json'), ellevio.replace('"Ellevio AB"', '"Mine"'));
  await tariffs.scan();
  assert.equal(tariffs.book().findProvider('ellevio')?.name, 'Mine');
  rmSync(join(ownFolder, 'ellevio.json'));
  await tariffs.scan();
  assert.equal(tariffs.book().findProvider('ellevio')?.name, 'Ellevio AB');
});

test('the shipped file is used while the own file has never been valid', async () => {
  writeFileSync(join(ownFolder, 'ellevio.json'), '{');
  const tariffs = open();
  await tariffs.scan();
  await tariffs.scan();
  assert.equal(tariffs.book().findProvider('ellevio')?.name, 'Ellevio AB');
  assert.deepEqual(
    tariffs.errors().map(({ file }) => file),
    ['ellevio.json'],
  );
});

test('a second file with the same tariffs is left out with a reason', async () => {
  writeFileSync(join(folder, 'z.json'), ellevio.replace('"id": "ellevio"', '"id": "other"'));
  const tariffs = open();
  await tariffs.scan();
  assert.equal(tariffs.book().providers.length, 2);
  assert.match(tariffs.errors()[0]!.message, /is also in ellevio.json/);
  renameSync(join(folder, 'ellevio.json'), join(folder, 'ellevio.txt'));
  await tariffs.scan();
  assert.deepEqual(tariffs.errors(), []);
  assert.ok(tariffs.book().findProvider('other'));
});

test('a missing own folder is allowed; a missing shipped folder is an error', async () => {
  rmSync(ownFolder, { recursive: true });
  await open().scan();
  const { start } = openTariffs({ folder: join(root, 'nowhere'), clock, log: silent });
  await assert.rejects(start(), { code: 'ENOENT' });
});

test('it starts with all files read, and reports when it read them', async (t) => {
  const tariffs = open();
  t.after(tariffs.close);
  await tariffs.start();
  assert.equal(tariffs.scannedAt(), clock.now());
  assert.equal(tariffs.book().providers.length, 2);
});

test('a new file is read within a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const tariffs = open();
  await tariffs.start();
  copyFileSync(join(shippedTariffs, 'telge_elnat.json'), join(folder, 'telge_elnat.json'));
  t.mock.timers.tick(59_000);
  assert.equal(tariffs.book().providers.length, 2);
  t.mock.timers.tick(1_000);
  await until(() => tariffs.book().providers.length === 3);
  tariffs.close();
});
