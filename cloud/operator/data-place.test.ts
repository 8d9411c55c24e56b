import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { startCloud } from '../main.ts';

test('a folder whose data is in PostgreSQL is refused', async (t) => {
  const folder = temporaryFolder(t);
  const mark = join(folder, 'data-is-in-postgresql');
  writeFileSync(mark, '');
  const env = { DATA_DIR: folder, CLOUD_PORT: '0', MQTT_PORT: '0' };
  const log = createLog({ level: 'silent', name: 'test' });
  await assert.rejects(startCloud(env, { version: 'test', log }), { message: /set DATABASE_URL .+ delete / });
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.db')),
    [],
  );
});
