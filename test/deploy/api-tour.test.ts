import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../source-files.ts';
import { dataFolder, startUp } from '../stack/up-process.ts';

const patienceMs = 90_000;
const tour = readFileSync(join(root, 'docs/api-tour.md'), 'utf8');
const blocks = [...tour.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, code]) => code!);

test('docs/api-tour.md can be pasted from its beginning to its end', {
  skip: toolsMissing(),
  timeout: patienceMs,
}, async (t) => {
  const data = dataFolder(t);
  await startUp(t, data, ['--houses', '1']);
  const bash = spawn('bash', ['-euo', 'pipefail', '-s'], {
    cwd: root,
    env: { PATH: process.env.PATH, TMPDIR: data, STACK: join(data, 'stack.json') },
    timeout: patienceMs,
  });
  let output = '';
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  bash.stdin.on('error', () => {}); // a script that fails stops reading before its end; its exit code tells
  bash.stdin.end(blocks.join(''));
  const [code] = await once(bash, 'close');
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

/** Why the tour cannot be taken here, or false. On CI nothing is skipped. */
function toolsMissing(): string | false {
  const missing = ['bash', 'curl', 'openssl'].filter((tool) => spawnSync(tool, ['--help']).error);
  if (missing.length === 0) return false;
  const sentence = `The tour needs ${missing.join(' and ')}, which cannot be found.`;
  if (process.env.CI) throw new Error(sentence);
  return sentence;
}
