import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../source-files.ts';
import type { Outcome, Proof } from '../proof.ts';

/** Runs the tests of a folder whose path contains this; returns those that failed. */
async function runTests(folder: string, only: string): Promise<string[]> {
  const child = spawn(process.execPath, [join(folder, 'test/run.ts'), '--only', only], {
    cwd: folder,
    env: { ...process.env, TEST_TRIES: '1' }, // each failure counts here, even without processor time
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
  if (code === 0) return [];
  console.log(said);
  const sum = said.slice(said.search(/^\d+ tests: /m));
  const failed = [...sum.matchAll(/^✖ (\S+: .+)$/gm)].map(([, test]) => test!);
  return failed.length > 0 ? failed : [`The run ended with ${code}.`];
}

async function rerun(count: number, folder: string, only: string): Promise<Outcome> {
  const notes: string[] = [];
  for (let run = 1; run <= count; run++) {
    const began = performance.now();
    const failed = await runTests(folder, only);
    notes.push(`${failed.length} failed, ${((performance.now() - began) / 60_000).toFixed(1)} minutes`, ...failed);
  }
  return { tried: count, failed: notes.length - count, notes };
}

const leftOut = ['.git', 'node_modules', 'data', 'test-results'].map((name) => join(root, name));

/** Copies the repository without its history, with the packages it has here. */
async function copyOfTree(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'ohmstead-copy-'));
  await cp(root, copy, { recursive: true, filter: (path) => !leftOut.includes(path) });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

const everySecondTime = `
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
const mark = import.meta.filename + '.ran';
test('fails every second time', () => {
  if (!existsSync(mark)) return writeFileSync(mark, '');
  rmSync(mark);
  throw new Error('not this time');
});
`;

/** Two runs of a test that fails in one of them, in a copy of the repository. */
async function rerunFlaky(): Promise<Outcome> {
  const copy = await copyOfTree();
  try {
    await writeFile(join(copy, 'test/every-second-time.test.ts'), everySecondTime);
    return await rerun(2, copy, 'test/every-second-time');
  } finally {
    await rm(copy, { recursive: true, maxRetries: 5 });
  }
}

export const flaky: Proof = {
  id: 'S38',
  what: 'Tests that failed in repeated runs of the whole suite',
  full: 10,
  seconds: 6000,
  load: 'alone',
  portion: 1,
  attempt: (count) => rerun(count, root, '/'),
  planted: rerunFlaky,
};
