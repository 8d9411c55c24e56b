import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from '../../source-files.ts';
import type { Bug } from './bug.ts';

/** `fails without it`: the test fails without the bug too, so its failure proves nothing. */
export type Verdict = 'noticed' | 'survived' | 'fails without it';

export type Planted = { bug: Bug; verdict: Verdict };

const maxAtOnce = 2;
const testMs = 60_000;
const fileMs = 150_000;

/** Runs the test file of each bug with the bug planted. `env` is added to the environment of those tests. */
export async function plantAll(
  bugs: readonly Bug[],
  { env = {}, onVerdict = () => {} }: { env?: Record<string, string>; onVerdict?(planted: Planted): void } = {},
): Promise<Planted[]> {
  const waiting = [...bugs];
  const planted: Planted[] = [];
  const passing = new Map<string, Promise<boolean>>(); // test files, by whether they pass without a bug

  async function work(): Promise<void> {
    for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
      const { noticedBy } = bug;
      if (!passing.has(noticedBy)) passing.set(noticedBy, passes(bug, env));
      const verdict = (await passing.get(noticedBy)) ? await plant(bug, env) : 'fails without it';
      planted.push({ bug, verdict });
      onVerdict({ bug, verdict });
    }
  }

  await Promise.all(Array.from({ length: maxAtOnce }, work));
  return planted;
}

const preload = `--import=${import.meta.resolve('./preload.ts')}`;

async function plant(bug: Bug, env: Record<string, string>): Promise<Verdict> {
  const options = [env.NODE_OPTIONS ?? process.env.NODE_OPTIONS, preload].filter(Boolean).join(' ');
  // As an option of the environment, it also reaches the processes and threads that the test starts.
  const isPassed = await passes(bug, { ...env, NODE_OPTIONS: options, PLANTED_BUG: bug.id });
  return isPassed ? 'survived' : 'noticed';
}

async function passes({ noticedBy, needsPostgres }: Bug, env: Record<string, string>): Promise<boolean> {
  // With NODE_TEST_CONTEXT the runner would consider itself part of the test that called it.
  const { NODE_TEST_CONTEXT: _, TEST_POSTGRES_URL: __, ...inherited } = process.env;
  const postgres = env.TEST_POSTGRES_URL === undefined && !needsPostgres ? { TEST_WITHOUT_POSTGRES: 'yes' } : {};
  const child = spawn(process.execPath, ['--test', `--test-timeout=${testMs}`, noticedBy], {
    cwd: root,
    env: { ...inherited, ...env, ...postgres },
    stdio: 'ignore',
    detached: true, // a process group of its own, so that ending it ends its children too
  });
  const { pid } = child;
  const timer = setTimeout(() => pid !== undefined && process.kill(-pid, 'SIGKILL'), fileMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return code === 0;
}
