import assert from 'node:assert/strict';
import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Refusal, Start } from './closed-folder-process.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? nobody : process.getuid?.();
const node = (script: string): string[] => [process.execPath, join(root, script)];
const env = { PATH: process.env.PATH }; // or compiled code would be cached where another user may not write
const inNamespace = (script: string): string[] => ['unshare', '--map-root-user', '--mount', 'sh', '-c', script];

function run([command, ...args]: string[], options: Partial<SpawnSyncOptionsWithStringEncoding> = {}): Refusal {
  const { status, stdout, stderr } = spawnSync(command!, args, {
    ...options,
    env,
    timeout: 60_000,
    encoding: 'utf8',
  });
  return { status, said: `${stdout}${stderr}` };
}

const canMount = run(inNamespace('true')).status === 0;

suite('a folder that is not writable', () => {
  const around = temporaryFolder({ after });
  before(() => {
    chmodSync(around, 0o755);
    mkdirSync(join(around, 'foreign'));
    chmodSync(join(around, 'foreign'), 0o555);
    mkdirSync(join(around, 'used'));
    chmodSync(join(around, 'used'), 0o777);
    writeFileSync(join(around, 'used', 'lock'), '', { mode: 0o444 });
    mkdirSync(join(around, 'mounted'));
    writeFileSync(join(around, 'file'), '');
  });

  /** Root may write everywhere, so another user runs this. */
  const asSomebody = isRoot ? { uid: nobody, gid: nobody } : {};

  const programs = ['cloud', 'gateway', 'price'];

  /** One process starts all programs in all folders, because most of a start is loading the program. */
  function assertRefusals(
    folders: readonly string[],
    sentenceOf: (folder: string) => string,
    startAll: (script: string[]) => Refusal = (script) => run(script, asSomebody),
  ): void {
    const starts = programs.flatMap((program) => folders.map((folder): Start => [program, folder]));
    const { status, said } = startAll([...node('test/faults/closed-folder-process.ts'), JSON.stringify(starts)]);
    assert.equal(status, 0, said);
    assert.deepEqual(
      JSON.parse(said),
      starts.map(([, folder]) => ({ status: 1, said: sentenceOf(folder) })),
    );
  }

  const notOurs = (folder: string): string =>
    `The folder ${folder} is not writable for user ${user}; change its owner (chown -R), or choose another folder.\n`;

  for (const program of programs) {
    test(`${program} says who must own the folder`, () => {
      const folder = join(around, 'foreign');
      const refusal = run([...node('cli/main.js'), program, '--data', folder], asSomebody);
      assert.deepEqual(refusal, { status: 1, said: notOurs(folder) });
    });
  }

  test('each program says who must own the folder when it, or a file in it, belongs to another user', () => {
    assertRefusals([join(around, 'foreign'), join(around, 'foreign', 'new'), join(around, 'used')], notOurs);
  });

  test('each program asks for another folder when it is a file', () => {
    assertRefusals(
      [join(around, 'file'), join(around, 'file', 'new')],
      (folder) => `The folder ${folder} is a file, or within one; choose another folder.\n`,
    );
  });

  test('each program says that the disk is read-only', {
    skip: canMount ? false : 'a disk cannot be mounted here',
  }, () => {
    const disk = join(around, 'mounted');
    assertRefusals(
      [disk, join(disk, 'new')],
      (folder) => `The folder ${folder} is on a read-only disk; mount it for writing, or choose another folder.\n`,
      (script) => {
        const start = script.map((word) => `'${word}'`).join(' ');
        return run(inNamespace(`mount -t tmpfs -o ro ohmstead '${disk}' && exec ${start}`));
      },
    );
  });
});
