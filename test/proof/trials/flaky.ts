import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../source-files.ts';
import type { Outcome, Proof } from '../proof.ts';
import { versionOf } from '../version.ts';

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

type Run = { failed: string[]; minutes: number };

/** The runs so far: a trial of two hours continues where it was interrupted, unless the version differs. */
type Tally = { version: string | undefined; runs: Run[] };

const tallyFile = join(root, 'node_modules/.cache/reruns.json');

async function brokenOff(): Promise<Run[]> {
  const kept = JSON.parse(await readFile(tallyFile, 'utf8').catch(() => '{}')) as Partial<Tally>;
  const isSameTree = kept.version !== undefined && kept.version === versionOf(root) && isAsCommitted();
  return isSameTree ? (kept.runs ?? []) : [];
}

const isAsCommitted = (): boolean => spawnSync('git', ['diff', '--quiet', 'HEAD'], { cwd: root }).status === 0;

async function rerunAll(count: number): Promise<Outcome> {
  const before = await brokenOff();
  if (before.length > 0) console.log(`  continues after run ${before.length} of this version`);
  const outcome = await rerun(count, root, '/', before, (runs) =>
    writeFile(tallyFile, JSON.stringify({ version: versionOf(root), runs } satisfies Tally)),
  );
  await rm(tallyFile, { force: true });
  return outcome;
}

async function rerun(
  count: number,
  folder: string,
  only: string,
  before: readonly Run[] = [],
  keep: (runs: Run[]) => Promise<void> = async () => {},
): Promise<Outcome> {
  const runs = [...before];
  while (runs.length < count) {
    const began = performance.now();
    const failed = await runTests(folder, only);
    const minutes = (performance.now() - began) / 60_000;
    runs.push({ failed, minutes });
    await keep(runs);
    console.log(`  run ${runs.length} of ${count}: ${failed.length} failed, ${minutes.toFixed(1)} minutes`);
  }
  const notes = runs.flatMap(({ failed }, index) => failed.map((title) => `run ${index + 1}: ${title}`));
  return { tried: runs.length, failed: notes.length, notes };
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
  attempt: rerunAll,
  planted: rerunFlaky,
};
