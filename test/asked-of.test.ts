import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './source-files.ts';

const programs = { test: 'test/run.ts', bench: 'bench/run.ts', fuzz: 'test/fuzz/run.ts', prove: 'test/proof/run.ts' };

const call = (path: string, option: string) =>
  spawnSync(process.execPath, [join(root, path), option], { encoding: 'utf8' });

test('--help tells how a program is called', () => {
  const { status, stdout } = call(programs.test, '--help');
  assert.equal(status, 0);
  assert.match(stdout, /^npm test .*\nnpm test -- --long/);
  assert.doesNotMatch(stdout, /\/\/|import/);
});

for (const [script, path] of Object.entries(programs)) {
  test(`npm run ${script} does nothing on a misspelt option, and tells how it is called`, () => {
    const { status, stdout, stderr } = call(path, '--hlep');
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, new RegExp(`^Unknown option '--hlep'.*\n\nnpm (run )?${script} `));
  });
}
