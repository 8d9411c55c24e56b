import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../source-files.ts';
import { startUp } from '../stack/up-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { blocksOf, pasteToBash, toolsMissing } from './document-lines.ts';

const patienceMs = 90_000;
const blocks = blocksOf(readFileSync(join(root, 'docs/api-tour.md'), 'utf8'), 'bash');

test('docs/api-tour.md can be pasted from beginning to end', {
  skip: toolsMissing('bash', 'curl', 'openssl'),
  timeout: patienceMs,
}, async (t) => {
  const data = temporaryFolder(t);
  await startUp(t, data, ['--houses', '1', '--without-history']);
  const { code, output } = await pasteToBash(blocks, {
    cwd: root,
    env: { TMPDIR: data, STACK: join(data, 'stack.json') },
    timeout: patienceMs,
  });
  assert.equal(code, 0, output);

  const said = output.split('\n');
  assert.equal(said.filter((line) => line.startsWith('id: ')).length > 5, true, 'readings came live');
  assert.ok(said.includes('applied'), 'the command was applied');
  const commands = output.match(/"id":"cmd-[^"]+"/g)!;
  assert.equal(commands[0], commands[1], 'a retry made no second command');
  for (const part of [
    '"kind":"load"',
    '"error":"unprocessable"',
    '"error":"invalid_request"',
    '"provider":"Simulated market"',
  ]) {
    assert.ok(output.includes(part), `${part} is in\n${output}`);
  }
  assert.match(said.findLast((line) => line.includes('"error"'))!, /"error":"unauthenticated"/);
});
