import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '#cloud/store/store.ts';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const program = fileURLToPath(new URL('./kill-migration-process.ts', import.meta.url));
const kills = 6;

/** Returns the number of statements, or undefined when the process died before one. */
async function openAndDie(dataDir: string, dieBefore: number): Promise<number | undefined> {
  const child = spawn(process.execPath, [program, dataDir, String(dieBefore)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return signal === 'SIGKILL' ? undefined : Number(said);
}

async function tablesOf(dataDir: string): Promise<unknown> {
  const log = createLog({ level: 'silent', name: 'test' });
  const store = await openStore({ dataDir, databaseUrl: undefined, log });
  const tables = await store.db.introspection.getTables();
  await store.close();
  return tables.toSorted((one, other) => one.name.localeCompare(other.name));
}

test('a start that is killed before any statement of its migrations is completed by the next', async (t) => {
  const whole = temporaryFolder(t);
  const statements = (await openAndDie(whole, 0))!;
  assert.ok(statements > 3 * kills, `${statements} statements`);
  const right = await tablesOf(whole);
  for (let kill = 0; kill < kills; kill++) {
    const folder = temporaryFolder(t);
    const dieBefore = 1 + Math.floor(((kill + Math.random()) * statements) / kills);
    assert.equal(await openAndDie(folder, dieBefore), undefined, `it survives before statement ${dieBefore}`);
    assert.deepEqual(await tablesOf(folder), right, `killed before statement ${dieBefore} of ${statements}`);
  }
});
