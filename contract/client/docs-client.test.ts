import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { root } from '#test/source-files.ts';
import { startUp } from '#test/stack/up-process.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { compilerEnvironment } from '#test/test-environment.ts';
import { makeKey } from './key.ts';

const document = readFileSync(join(root, 'docs/client.md'), 'utf8');
const examples = [...document.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!);
const source = 'ohmstead-source'; // the condition under which the package is read as it stands here

/** Runs a program to its end; its output as lines. */
async function run(
  program: string,
  args: string[],
  { input = '', env }: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(program, args, { cwd: root, ...(env && { env }), timeout: 60_000 });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.stdin.on('error', () => {}); // a program that fails stops reading; its exit code tells
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, output);
  return output.trimEnd().split('\n');
}

suite('the example of docs/client.md', { timeout: 120_000 }, () => {
  test('stands alone', () => assert.equal(examples.length, 1));

  test('works, with a home that is there and with one that is made', async (t) => {
    const data = temporaryFolder(t);
    const { state } = await startUp(t, data, ['--houses', '0', '--without-history']);
    const keyFile = join(data, 'new.pem');
    await writeFile(keyFile, (await makeKey()).pem);
    const runExample = (key: string) =>
      run(process.execPath, [`--conditions=${source}`, '--input-type=module-typescript', '-', state.cloud_url, key], {
        input: examples[0]!,
      });

    const [owner, stranger] = await Promise.all([runExample(state.private_key_file), runExample(keyFile)]);
    assert.equal(owner[0], `signed in as ${state.identity_id}`);
    assert.ok(owner.filter((line) => /: -?[\d.]+ W$/.test(line)).length > 10, owner.join('\n'));
    assert.match(owner.join('\n'), /^connected\n.*^meter: \d+ minutes\n.*^cheapest: -?[\d.]+ SEK for a kWh at 20/ms);
    assert.match(stranger[0]!, /^signed in as idt-/);
    assert.deepEqual(stranger.slice(1, -1), ['at House', 'connected']);
    assert.match(stranger.at(-1)!, /^cheapest: -?[\d.]+ SEK/);
  });

  for (const { says, types, lib, program } of [
    { says: 'has the right types', types: ['node'], lib: [], program: examples[0]! },
    {
      says: 'stands on a client that needs no types of Node',
      types: [],
      lib: ['dom', 'dom.iterable', 'dom.asynciterable'],
      program: `export { connect, keyFromPair } from 'ohmstead/client';`,
    },
  ]) {
    test(says, async (t) => {
      const folder = temporaryFolder(t);
      await mkdir(join(folder, 'node_modules'));
      await symlink(root, join(folder, 'node_modules/ohmstead'));
      const compilerOptions = {
        target: 'es2024',
        module: 'nodenext',
        lib: ['es2024', ...lib],
        typeRoots: [join(root, 'node_modules/@types')],
        types,
        customConditions: [source],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        skipLibCheck: true,
      };
      const files = { 'tsconfig.json': { compilerOptions, files: ['program.ts'] }, 'package.json': { type: 'module' } };
      for (const [name, content] of Object.entries(files)) {
        await writeFile(join(folder, name), JSON.stringify(content));
      }
      await writeFile(join(folder, 'program.ts'), program);
      await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--checkers', '1'], {
        env: compilerEnvironment,
      });
    });
  }
});
