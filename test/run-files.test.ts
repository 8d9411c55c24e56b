import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { groupsOf } from './groups.ts';
import { root, sourceFiles } from './source-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const program = join(import.meta.dirname, 'run-files.ts');
// Without the first the tests within would tell this one's runner; the others are of the run that this one is in.
const { NODE_TEST_CONTEXT: _context, TEST_STOLEN: _stolen, TEST_TRIES: _tries, ...env } = process.env;

test('every test file is in one group', () => {
  const files = sourceFiles().filter((path) => path.endsWith('.test.ts'));
  const grouped = groupsOf(files).flatMap((group) => group.files);
  assert.deepEqual(grouped.toSorted(), files.toSorted());
});

test('what fails is told whole, what passes in a line, and a file without tests is a failure', (t) => {
  const folder = temporaryFolder(t);
  const run = (...tests: string[]) => {
    const files = tests.map((code, index) => {
      const path = join(folder, `${index}.test.ts`);
      writeFileSync(path, `import { test } from 'node:test';\n${code}`);
      return relative(root, path);
    });
    return spawnSync(process.execPath, [program, ...files], { env, encoding: 'utf8' });
  };

  const well = run("test('goes', () => {});", "test('not here', { skip: 'no disk' }, () => {});");
  assert.equal(well.status, 0, well.stdout);
  assert.match(well.stdout, /^✔ \S+ \(2 files, 2 tests, [\d.]+ s\)\n/);
  assert.match(well.stdout, /\n2 tests: 1 passed, 0 failed, 1 skipped\.\n﹣ \S+1\.test\.ts: not here \(no disk\)\n/);

  const ill = run("test('goes', () => {});", "test('does not', () => { throw new Error('broken here'); });");
  assert.equal(ill.status, 1);
  assert.match(
    ill.stdout,
    /failing tests:.*Error: broken here.*\n2 tests: 1 passed, 1 failed, 0 skipped\.\n✖ \S+1\.test\.ts: does not\n/s,
  );

  const silent = run("test('goes', () => {});", '');
  assert.equal(silent.status, 1);
  assert.match(
    silent.stdout,
    /1\.test\.ts told of no test\..*\n1 tests: 1 passed.*\n✖ \S+: it broke off, or has no tests\n/s,
  );

  const crashed = run(
    "test('does not', () => { throw new Error('broken here'); });",
    "test('leaves', () => process.exit(0));",
  );
  assert.equal(crashed.status, 1);
  assert.match(crashed.stdout, /Error: broken here.*1\.test\.ts told of no test\./s);
});

test('what fails while others have the processors is told, tried again, and passes when it passes then', (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'late.test.ts');
  writeFileSync(
    path,
    `import { test } from 'node:test';
     import { appendFileSync, readFileSync } from 'node:fs';
     test('comes in time', () => {
       appendFileSync('${folder}/tries', '.');
       if (readFileSync('${folder}/tries').length % 3 !== 0) throw new Error('too late');
     });`,
  );
  const run = (settings: Record<string, string>) =>
    spawnSync(process.execPath, [program, relative(root, path)], { env: { ...env, ...settings }, encoding: 'utf8' });

  const starved = run({ TEST_STOLEN: '0' });
  assert.equal(starved.status, 0, starved.stdout);
  assert.equal(starved.stdout.match(/^↻ The host had \d+ % of the processors: /gm)!.length, 2);
  assert.match(starved.stdout, /Error: too late.*\n1 tests: 1 passed, 0 failed/s);

  for (const settings of [{ TEST_STOLEN: '1.1' }, { TEST_STOLEN: '0', TEST_TRIES: '1' }]) {
    const once = run(settings);
    assert.equal(once.status, 1);
    assert.doesNotMatch(once.stdout, /↻/);
  }
});
