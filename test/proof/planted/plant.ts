import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../source-files.ts';
import { type Bug, withBug } from './bug.ts';

/** Of a test that fails without the bug as well nothing can be told. */
export type Verdict = 'noticed' | 'survived' | 'does not apply' | 'fails without it';

export type Planted = { bug: Bug; verdict: Verdict };

const copiesAtOnce = 2;
const testMs = 60_000;
const fileMs = 100_000;

/**
 * Plants bugs in copies of the repository, one at a time in each copy, and runs the test file that has to notice.
 * `env` is for those tests beside the environment of this process, of which they get all but its database.
 */
export async function plantAll(
  bugs: readonly Bug[],
  { env = {}, tell = () => {} }: { env?: Record<string, string>; tell?(planted: Planted): void } = {},
): Promise<Planted[]> {
  const waiting = [...bugs];
  const planted: Planted[] = [];
  const sound = new Map<string, Promise<boolean>>(); // by the test file: whether it passes as things are

  async function workOff(copy: string): Promise<void> {
    for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
      const { noticedBy } = bug;
      if (!sound.has(noticedBy)) sound.set(noticedBy, passes(copy, noticedBy, env));
      const verdict = (await sound.get(noticedBy)) ? await plant(bug, copy, env) : 'fails without it';
      planted.push({ bug, verdict });
      tell({ bug, verdict });
    }
  }

  const copies = await Promise.all(Array.from({ length: Math.min(copiesAtOnce, bugs.length) }, copyOfTree));
  try {
    await Promise.all(copies.map(workOff));
  } finally {
    for (const copy of copies) await rm(copy, { recursive: true, maxRetries: 5 });
  }
  return planted;
}

async function plant(bug: Bug, copy: string, env: Record<string, string>): Promise<Verdict> {
  const path = join(copy, bug.file);
  const text = await readFile(path, 'utf8');
  const wrong = withBug(text, bug);
  if (wrong === undefined) return 'does not apply';
  await writeFile(path, wrong);
  try {
    return (await passes(copy, bug.noticedBy, env)) ? 'survived' : 'noticed';
  } finally {
    await writeFile(path, text);
  }
}

const leftOut = ['.git', 'node_modules', 'data', 'test-results'].map((name) => join(root, name));

/** The repository without its history, with the packages it has here. */
export async function copyOfTree(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'ohmstead-planted-'));
  await cp(root, copy, { recursive: true, filter: (path) => !leftOut.includes(path) });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function passes(copy: string, testFile: string, env: Record<string, string>): Promise<boolean> {
  // Inside of a test the runner would take itself for a part of it.
  const { NODE_TEST_CONTEXT: _, TEST_POSTGRES_URL: __, ...ours } = process.env;
  // Without a server that is lent, each of these tests would start one of its own.
  const lent = env.TEST_POSTGRES_URL === undefined ? { TEST_WITHOUT_POSTGRES: 'yes' } : {};
  const child = spawn(process.execPath, ['--test', `--test-timeout=${testMs}`, testFile], {
    cwd: copy,
    env: { ...ours, ...env, ...lent },
    stdio: 'ignore',
    detached: true, // a process group of its own, so that ending it ends its children too
  });
  const patience = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), fileMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(patience);
  return code === 0;
}
