import assert from 'node:assert/strict';
import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? nobody : process.getuid?.();
const node = [process.execPath, join(root, 'cli/main.js')];
const env = { PATH: process.env.PATH }; // or compiled code would be cached where another user may not write
const inNamespace = (script: string): string[] => ['unshare', '--map-root-user', '--mount', 'sh', '-c', script];

function run([command, ...args]: string[], options: Partial<SpawnSyncOptionsWithStringEncoding> = {}) {
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

  for (const program of ['cloud', 'gateway', 'price']) {
    const startIn = (folder: string) => run([...node, program, '--data', folder], asSomebody);

    test(`${program} says who must own the folder when it, or a file in it, belongs to another user`, () => {
      for (const folder of [join(around, 'foreign'), join(around, 'foreign', 'new'), join(around, 'used')]) {
        const sentence = `The folder ${folder} is not writable for user ${user}; change its owner (chown -R), or choose another folder.\n`;
        assert.deepEqual(startIn(folder), { status: 1, said: sentence });
      }
    });

    test(`${program} asks for another folder when it is a file`, () => {
      for (const folder of [join(around, 'file'), join(around, 'file', 'new')]) {
        const sentence = `The folder ${folder} is a file, or within one; choose another folder.\n`;
        assert.deepEqual(startIn(folder), { status: 1, said: sentence });
      }
    });

    test(`${program} says that the disk is read-only`, {
      skip: canMount ? false : 'a disk cannot be mounted here',
    }, () => {
      const disk = join(around, 'mounted');
      for (const folder of [disk, join(disk, 'new')]) {
        const start = node.map((word) => `'${word}'`).join(' ');
        const script = `mount -t tmpfs -o ro ohmstead '${disk}' && exec ${start} ${program} --data '${folder}'`;
        const sentence = `The folder ${folder} is on a read-only disk; mount it for writing, or choose another folder.\n`;
        assert.deepEqual(run(inNamespace(script)), { status: 1, said: sentence });
      }
    });
  }
});
