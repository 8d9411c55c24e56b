import { writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { root } from './source-files.ts';

// Runs test files in this process, and writes down what became of each test. They are no words of the command line of node:
// what the tests fork would take them over.

/** A test or suite that is over, by its file below the root. */
export type EndedTest = { file: string; title: string; isSuite: boolean; isPassed: boolean; skip?: string };

type Over = {
  name: string;
  file?: string | undefined;
  details: { type?: string | undefined };
  skip?: string | boolean | undefined;
};

if (import.meta.main) {
  const [toldFile, ...files] = process.argv.slice(2);
  const told: EndedTest[] = [];
  const note = (isPassed: boolean, { name, file = '', details, skip }: Over): void => {
    if (resolve(root, name) === file) return; // what is said of a file without any
    const isSuite = details.type === 'suite';
    told.push({
      file: relative(root, file),
      title: name,
      isSuite,
      isPassed,
      ...(skip !== undefined && { skip: String(skip) }),
    });
  };
  const failures: unknown[] = [];
  process.once('exit', tellFailures); // one that holds something open is ended before the reporter has told any
  const events = run({ files, cwd: root, isolation: 'none', timeout: 300_000 });
  events.on('test:pass', (data) => note(true, data));
  events.on('test:fail', (data) => {
    note(false, data);
    failures.push(data.details.error);
    process.exitCode = 1;
  });
  await pipeline(events, new spec(), process.stdout, { end: false });
  process.off('exit', tellFailures);
  writeFileSync(toldFile!, JSON.stringify(told));

  function tellFailures(): void {
    for (const failure of failures) console.error(failure);
  }
}
