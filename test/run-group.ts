// Runs test files in this process and writes the result of each test to a file. The file names are arguments of this program, not
// options of node, which child processes of the tests would inherit.
import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { root } from './source-files.ts';

/** The result of a test or suite, with its file below the root. */
export type EndedTest = {
  file: string;
  title: string;
  isSuite: boolean;
  isPassed: boolean;
  /** without its subtests */
  seconds: number;
  skip?: string;
};

type Result = {
  name: string;
  nesting: number;
  file?: string | undefined;
  details: { type?: string | undefined; duration_ms: number };
  skip?: string | boolean | undefined;
};

if (import.meta.main) {
  const [resultFile = '', ...files] = process.argv.slice(2);
  const ended: EndedTest[] = [];
  const subtestMs: number[] = []; // by nesting, of the tests whose parent is still running
  const record = (isPassed: boolean, { name, nesting, file = '', details, skip }: Result): void => {
    const { duration_ms } = details;
    const seconds = Math.max(0, duration_ms - (subtestMs[nesting + 1] ?? 0)) / 1000;
    subtestMs[nesting + 1] = 0;
    subtestMs[nesting] = (subtestMs[nesting] ?? 0) + duration_ms;
    if (resolve(root, name) === file) return; // the file itself, when it has no tests
    const isSuite = details.type === 'suite';
    const skipped = skip === undefined ? {} : { skip: String(skip) };
    ended.push({ file: relative(root, file), title: name, isSuite, isPassed, seconds, ...skipped });
  };
  const failures: unknown[] = [];
  const printFailures = (): void => {
    for (const failure of failures) console.error(failure);
  };
  process.once('exit', printFailures); // a process that is ended by its time limit never gets to its reporter
  const events = run({ files, cwd: root, isolation: 'none', timeout: 300_000 });
  events.once('test:pass', () => flushCompileCache()); // other groups start before this process ends
  events.on('test:pass', (result) => record(true, result));
  events.on('test:fail', (result) => {
    record(false, result);
    failures.push(result.details.error);
    process.exitCode = 1;
  });
  await pipeline(events, new spec(), process.stdout, { end: false });
  process.off('exit', printFailures);
  writeFileSync(resultFile, JSON.stringify(ended));
}
