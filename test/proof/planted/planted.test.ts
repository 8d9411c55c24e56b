import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { root } from '../../source-files.ts';
import { withBug } from './bug.ts';
import { bugs } from './bugs.ts';
import { plantAll } from './plant.ts';

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

suite('the bugs that are planted', () => {
  test('are two hundred and more, each of its own', () => {
    assert.ok(bugs.length >= 200, `${bugs.length} bugs`);
    assert.equal(new Set(bugs.map(({ id }) => id)).size, bugs.length);
    assert.equal(new Set(bugs.map(({ file, from, to }) => JSON.stringify([file, from, to]))).size, bugs.length);
  });

  test('say what they prove', () => {
    for (const { id, proves } of bugs) {
      assert.ok(proves.length > 0, id);
      for (const proven of proves) assert.match(proven, /^([AF]\d\d|S\d{1,2})$/, id);
    }
  });

  test('are in every part of the product', () => {
    const parts = new Set(bugs.map(({ file }) => file.split('/')[0]!).filter((part) => !part.endsWith('.json')));
    assert.deepEqual([...parts].sort(), ['cli', 'cloud', 'contract', 'gateway', 'lib', 'price', 'web']);
  });

  test('change what stands in their file once, to something that can be run', () => {
    for (const bug of bugs) {
      const text = textOf(bug.file);
      const wrong = withBug(text, bug);
      assert.ok(wrong !== undefined, `"${bug.id}" does not apply to ${bug.file}; has it changed?`);
      assert.notEqual(wrong, text, bug.id);
      assert.doesNotThrow(() => (bug.file.endsWith('.json') ? JSON.parse(wrong) : stripTypeScriptTypes(wrong)), bug.id);
    }
  });

  test('name a test file that is there', () => {
    for (const { id, noticedBy } of bugs) {
      assert.match(noticedBy, /\.test\.ts$/, id);
      assert.ok(existsSync(join(root, noticedBy)), `"${id}" is to be noticed by ${noticedBy}, which is not there`);
    }
  });
});

suite('a bug finds its place', () => {
  const bug = { from: '  if (isOld(at, now)) return no(at);\n', to: '  if (isOld(at, now)) return;\n' };
  const broken = 'a();\n    if (\n      isOld(\n        at,\n        now,\n      )\n    )\n      return no(at);\nb();';

  test('though a formatter broke the lines of it otherwise', () => {
    assert.equal(withBug(broken, bug), 'a();\n    if (isOld(at, now)) return;\nb();');
  });

  for (const { says, text } of [
    { says: 'which stands there twice', text: `${broken}\n${broken}` },
    { says: 'which is other code', text: broken.replace('return no', 'returnno') },
    { says: 'which is gone', text: 'a();' },
  ]) {
    test(`and none ${says}`, () => assert.equal(withBug(text, bug), undefined));
  }
});

test('a bug is noticed, a change of nothing is not, and one that does not apply is told', {
  timeout: 120_000,
}, async () => {
  const bug = bugs.find(({ id }) => id === 'discharge charges')!;
  const harmless = { ...bug, to: bug.from };
  const astray = { ...bug, from: 'what stands nowhere' };
  const verdicts = new Map(
    (await plantAll([bug, harmless, astray])).map(({ bug: which, verdict }) => [which, verdict]),
  );
  assert.deepEqual(
    [bug, harmless, astray].map((which) => verdicts.get(which)),
    ['noticed', 'survived', 'does not apply'],
  );
});
