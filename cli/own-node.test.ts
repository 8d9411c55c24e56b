import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, globSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '#test/temporary-folder.ts';

const main = fileURLToPath(new URL('./main.js', import.meta.url));
const ownNode = new URL('./own-node.js', import.meta.url).href;

/** How to start an old Node: the one of this machine, or else this one, which then only says that it is old. */
function oldNode(): string[] {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((node) => /^v2[0-3]\./.test(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''));
  if (found) return [found];
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`;
  return [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
}

const [node, ...nodeArgs] = oldNode() as [string, ...string[]];

const run = (...args: string[]) => spawnSync(node, [...nodeArgs, ...args], { encoding: 'utf8', timeout: 30_000 });

/** A program that an old Node hands over, once it has said what it says first. */
async function handOver(t: TestContext, program: string) {
  const folder = temporaryFolder(t);
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const starter = `import { runOnOwnNode } from ${JSON.stringify(ownNode)}; runOnOwnNode(${JSON.stringify(file)});`;
  const child = spawn(node, [...nodeArgs, '--input-type=module', '--eval', starter], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  const [said] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(30_000) });
  return { child, said: String(said), ended };
}

suite('an old Node', { timeout: 120_000 }, () => {
  test('hands over to the one that comes with the packages', async (t) => {
    const { said, ended } = await handOver(t, `console.log(process.version)`);
    assert.match(said, /^v24\./);
    assert.deepEqual(await ended, [0, null]);
  });

  test('runs the ohmstead command, whose exit code stays', () => {
    assert.match(run(main, '--version').stdout, /^\d+\.\d+\.\d+\n$/);
    const { status, stderr } = run(main, 'clodu');
    assert.match(stderr, /^Unknown command "clodu"/);
    assert.equal(status, 2);
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    test(`passes ${signal} on, and ends as the program does`, async (t) => {
      const program = `process.on('${signal}', () => process.exit(7)); setInterval(() => {}, 1000); console.log('ready')`;
      const { child, ended } = await handOver(t, program);
      child.kill(signal);
      assert.deepEqual(await ended, [7, null]);
    });

  test('ends by the signal that has ended the program', async (t) => {
    const program = `console.log('ready'); process.stdin.once('data', () => process.kill(process.pid, 'SIGKILL'))`;
    const { child, ended } = await handOver(t, program);
    child.stdin.write('now');
    assert.deepEqual(await ended, [null, 'SIGKILL']);
  });

  test('explains what to do without a newer Node', (t) => {
    const folder = temporaryFolder(t);
    const cwd = import.meta.dirname;
    for (const file of globSync('*.js', { cwd })) copyFileSync(join(cwd, file), join(folder, file));
    const { status, stderr } = run(join(folder, 'main.js'), '--version');
    assert.match(stderr, /^Ohmstead needs Node 24 or newer; this is 2\d\.\d+\.\d+\. .+ run `npm rebuild node`/);
    assert.equal(status, 1);
  });
});
