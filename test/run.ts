// npm test                     the static checks, then the tests of the short tier
// npm test -- --long           the static checks, then every test
// npm test -- --checks         the static checks alone
// npm test -- --only cloud/    the test files whose path contains cloud/, of either tier, without the static checks
import { join } from 'node:path';
import { askedOf } from './asked-of.ts';
import { endSteps, interrupted, step } from './run-step.ts';
import { postgresMissing, startPostgres } from './services/postgres.ts';
import { root, sourceFiles } from './source-files.ts';
import { thrift } from './thrift.ts';
import { isLong } from './tiers.ts';
import { typeCheck } from './type-check.ts';

const { values: asked } = askedOf(import.meta.filename, {
  options: { checks: { type: 'boolean' }, long: { type: 'boolean' }, only: { type: 'string' } },
});

const checks: [headline: string, ...command: string[]][] = [
  ['format and lint', 'biome', 'ci', '--colors=off', '.'],
  ['lint with types', 'oxlint', '--type-aware', '--deny-warnings'],
  ['types', ...typeCheck('.')],
  ['types of the pages', ...typeCheck('web')],
  ['dead code', 'knip', '--no-config-hints'],
];

const runChecks = () => checks.map(([headline, ...command]) => step(headline, command));

const prepareTests = () => [
  step('services', [join(root, 'test/install-services')], { show: true }),
  step('pages', ['vite', 'build', 'web', '--logLevel', 'warn']),
];

/** All of them at once: none uses every core to its end, and whoever mends one thing wants to know of the others. */
async function allPass(steps: Promise<boolean>[]): Promise<boolean> {
  const passed = await Promise.all(steps);
  return passed.every(Boolean);
}

/** Those of the whole are the longest: they begin, and the short ones fill what they leave at the end. */
const ordered = (files: string[]): string[] => [
  ...files.filter((path) => path.startsWith('test/')),
  ...files.filter((path) => !path.startsWith('test/')),
];

async function runTests(): Promise<boolean> {
  const isOfTier = (path: string): boolean => asked.long || asked.only !== undefined || !isLong(path);
  const files = sourceFiles().filter(
    (path) => path.endsWith('.test.ts') && path.includes(asked.only ?? '') && isOfTier(path),
  );
  if (files.length === 0) {
    console.log(`No test file has ${asked.only} in its path.`);
    return false;
  }

  const postgres = postgresMissing() ? undefined : await startPostgres();
  const env = {
    ...thrift, // many of them are processes of their own
    ...(postgres && { TEST_POSTGRES_URL: postgres.url() }),
  };
  try {
    return await step('tests', ['node', 'test/run-files.ts', ...ordered(files)], { show: true, env });
  } finally {
    await postgres?.stop();
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endSteps);

const passed =
  (await allPass([...(asked.checks ? [] : prepareTests()), ...(asked.only ? [] : runChecks())])) &&
  (asked.checks || (await runTests()));
process.exitCode = interrupted() ? 130 : passed ? 0 : 1;
