// npm test                     static checks, then the tests of the short tier
// npm test -- --long           static checks, then all tests
// npm test -- --checks         static checks only
// npm test -- --only cloud/    test files whose path contains cloud/, of either tier, without static checks
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { parseCommandLine } from './command-line.ts';
import { postgresMissing, startPostgres } from './services/postgres.ts';
import { root, sourceFiles } from './source-files.ts';
import { compilerSettings, testEnvironment } from './test-environment.ts';

const { values: options } = parseCommandLine(import.meta.filename, {
  options: { checks: { type: 'boolean' }, long: { type: 'boolean' }, only: { type: 'string' } },
});

/** One checker per program: several would repeat much of the same work. Results are cached for the next run. */
const typeCheck = (program: '.' | 'web'): string[] => [
  'tsc',
  '-p',
  program,
  '--checkers',
  '1',
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/types/${program === '.' ? 'all' : program}.json`,
];

const checks: [title: string, ...command: string[]][] = [
  ['format and lint', 'biome', 'ci', '--colors=off', '.'],
  ['lint with types', 'oxlint', '--type-aware', '--deny-warnings'],
  ['types', ...typeCheck('.')],
  ['types of the pages', ...typeCheck('web')],
  ['dead code', 'knip', '--no-config-hints'],
];

const stopping = new AbortController();
const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

const steps = [...(options.checks ? [] : prepareTests()), ...(options.only ? [] : runChecks())];
const results = await Promise.all(steps); // all at once: a person who fixes one problem wants to know the others
const isPassed = results.every(Boolean) && (options.checks || (await runTests()));
process.exitCode = stopping.signal.aborted ? 130 : isPassed ? 0 : 1;

function runChecks(): Promise<boolean>[] {
  return checks.map(([title, ...command]) => step(title, command, { env: compilerSettings }));
}

function prepareTests(): Promise<boolean>[] {
  return [
    step('services', [join(root, 'test/install-services')], { show: true }),
    step('pages', ['vite', 'build', 'web', '--logLevel', 'warn']),
  ];
}

async function runTests(): Promise<boolean> {
  const isOfTier = (path: string): boolean =>
    options.long || options.only !== undefined || !path.endsWith('.long.test.ts');
  const files = sourceFiles().filter(
    (path) => path.endsWith('.test.ts') && path.includes(options.only ?? '') && isOfTier(path),
  );
  if (files.length === 0) {
    console.log(`No test file has ${options.only} in its path.`);
    return false;
  }
  const postgres = postgresMissing() ? undefined : await startPostgres();
  const env = {
    ...testEnvironment,
    ...(postgres && { TEST_POSTGRES_URL: postgres.url() }),
    ...(!options.long && !options.only && { TEST_AMOUNT: 'short' }),
  };
  try {
    return await step('tests', ['node', 'test/run-files.ts', ...files], { show: true, env });
  } finally {
    await postgres?.stop();
  }
}

/** Runs a command and prints one line about it. Its output is shown as it arrives, or only when the command fails. */
async function step(
  title: string,
  [program = '', ...args]: string[],
  { show = false, env = {} }: { show?: boolean; env?: Record<string, string> } = {},
): Promise<boolean> {
  if (stopping.signal.aborted) return false;
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env, PATH: join(root, 'node_modules/.bin') + delimiter + process.env.PATH },
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    detached: true, // a process group of its own, so that ending it ends its children too
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  running.delete(child);
  if (code !== 0) process.stdout.write(output);
  console.log(`${code === 0 ? '✔' : '✖'} ${title} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  return code === 0;
}

/** Asks the running steps to end; the second time, kills them. */
function stop(): void {
  const signal = stopping.signal.aborted ? 'SIGKILL' : 'SIGTERM';
  stopping.abort();
  for (const { pid } of running) if (pid) process.kill(-pid, signal);
}
