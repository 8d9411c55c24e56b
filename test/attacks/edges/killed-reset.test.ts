import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { finishReset } from '#gateway/system/factory-reset.ts';

const program = fileURLToPath(new URL('./killed-reset.ts', import.meta.url));
const secret = 'a unique word';

const used = [
  'identity/key.pem',
  'signatures.json',
  'devices/A1.json',
  'devices/A2.json',
  'outbox/1.log',
  'control/A1.json',
  'mqtt.json',
  'local-token',
  'log-stream.json',
  'lock',
];
const left = ['identity', 'identity/key.pem', 'lock'];

function fill(folder: string): void {
  for (const file of used) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), secret);
  }
}

const filesIn = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).filter((name) => !name.endsWith('.tmp')).toSorted();

test('a factory reset that is killed at any step leaves everything, or nothing after the next start', async () => {
  let step = 0;
  const outcomes = { all: 0, nothing: 0 };
  for (;;) {
    step += 1;
    using folder = mkdtempDisposableSync(join(tmpdir(), 'ohmstead-reset-'));
    fill(folder.path);
    const before = filesIn(folder.path);
    const { signal, status, stderr } = spawnSync(process.execPath, [program, folder.path, String(step)], {
      encoding: 'utf8',
    });
    if (signal === null) {
      assert.equal(status, 0, stderr);
      assert.deepEqual(filesIn(folder.path), left);
      break;
    }
    assert.equal(signal, 'SIGKILL');
    await finishReset(folder.path); // effect of the next start
    const after = filesIn(folder.path);
    const isDone = after.length === left.length;
    assert.deepEqual(after, isDone ? left : before, `killed at step ${step}`);
    assert.equal(readFileSync(join(folder.path, 'identity/key.pem'), 'utf8'), secret);
    outcomes[isDone ? 'nothing' : 'all'] += 1;
  }
  assert.ok(outcomes.all >= 2 && outcomes.nothing >= 8, JSON.stringify(outcomes));
});
