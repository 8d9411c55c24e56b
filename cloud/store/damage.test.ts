import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { dayMs } from '#contract/time.ts';
import { DatabaseTooNew } from '#lib/database-too-new.ts';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openStore } from './store.ts';
import { openTelemetry } from './telemetry/open.ts';

const log = createLog({ level: 'silent', name: 'test' });
const openReadings = (dataDir: string) =>
  openTelemetry({ dataDir, retention: { rawMs: dayMs, minutesMs: dayMs, hoursMs: dayMs }, log });

for (const { name, open } of [
  { name: 'cloud.db', open: (dataDir: string) => openStore({ dataDir, log }) },
  { name: 'telemetry.db', open: openReadings },
]) {
  test(`a damaged ${name} is reported with its file and advice`, async (t) => {
    const dataDir = temporaryFolder(t);
    const file = join(dataDir, name);
    writeFileSync(file, 'these bytes are not a database '.repeat(200));
    const told = `The database ${file} is damaged: file is not a database. Move the data folder away`;
    await assert.rejects(open(dataDir), (error: Error) => error.message.startsWith(told));
  });
}

test('a telemetry database of a newer version is refused', async (t) => {
  const dataDir = temporaryFolder(t);
  const readings = await openReadings(dataDir);
  await readings.close();
  using database = new DatabaseSync(join(dataDir, 'telemetry.db'));
  database.exec('pragma user_version = 99');
  await assert.rejects(openReadings(dataDir), DatabaseTooNew);
});
