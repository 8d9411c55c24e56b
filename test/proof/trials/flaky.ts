import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../source-files.ts';
import { copyOfTree } from '../planted/plant.ts';
import type { Outcome, Proof } from '../proof.ts';

/** Runs the tests of a folder whose path contains this; those that failed. */
async function runTests(folder: string, only: string): Promise<string[]> {
  const child = spawn(process.execPath, [join(folder, 'test/run.ts'), '--only', only], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
  if (code === 0) return [];
  console.log(said);
  const sum = said.slice(said.search(/^\d+ tests: /m));
  const failed = [...sum.matchAll(/^✖ (\S+: .+)$/gm)].map(([, test]) => test!);
  return failed.length > 0 ? failed : [`The run ended with ${code}.`];
}

async function rerun(runs: number, folder: string, only: string): Promise<Outcome> {
  const notes: string[] = [];
  for (let run = 1; run <= runs; run++) {
    const began = performance.now();
    const failed = await runTests(folder, only);
    notes.push(...failed.map((title) => `run ${run}: ${title}`));
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    console.log(`  run ${run} of ${runs}: ${failed.length} failed, ${minutes} minutes`);
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
