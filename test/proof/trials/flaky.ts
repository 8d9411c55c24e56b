import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../source-files.ts';
import { copyOfTree } from '../planted/plant.ts';
import type { Outcome, Proof } from '../proof.ts';

/** Runs the tests of a folder whose path contains this; the titles of those that failed. */
async function runTests(folder: string, only: string): Promise<string[]> {
  const child = spawn(process.execPath, [join(folder, 'test/run.ts'), '--only', only], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
  const failed = [...said.matchAll(/^\s*✖ (.+?) \([\d.]+ms\)$/gm)].map(([, title]) => title!);
  if (code !== 0 && failed.length === 0) return [`The run ended with ${code}: ${said.slice(-500)}`];
  return [...new Set(failed)];
}

async function rerun(runs: number, folder: string, only: string): Promise<Outcome> {
  const notes: string[] = [];
  for (let run = 1; run <= runs; run++) {
    for (const title of await runTests(folder, only)) notes.push(`run ${run}: ${title}`);
  }
  return { tried: runs, failed: notes.length, notes };
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

/** Two runs of a test that fails in one of them, in a copy of everything. */
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
  what: 'Tests that failed in reruns of all of them',
  full: 10,
  seconds: 6000,
  attempt: (runs) => rerun(runs, root, '/'),
  planted: rerunFlaky,
};
