import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { rules } from './architecture/rules.ts';
import { importsOf, linesWith } from './architecture/scan.ts';
import { root, sourceFiles } from './source-files.ts';

const sources = sourceFiles().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

suite('the architecture', () => {
  for (const { says, findings } of rules) {
    test(says, () => assert.deepEqual(findings(sources), []));
  }

  test('package.json maps every #folder/ to the folder of that name', () => {
    const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      imports: Record<string, string>;
    };
    for (const [name, folder] of Object.entries(imports)) assert.equal(folder, name.replace('#', './'));
  });
});

suite('the architecture check', () => {
  test('sees the files and their imports', () => {
    assert.ok(sources.length > 20, `only ${sources.length} files`);
    assert.ok(sources.flatMap(importsOf).length > sources.length);
  });

  for (const { says, findings, wrong } of rules) {
    test(`detects a breach of: ${says}`, () => {
      const planted = wrong.map(({ path }) => path);
      const found = findings([...sources.filter(({ path }) => !planted.includes(path)), ...wrong]);
      for (const path of planted)
        assert.ok(
          found.some((line) => line.includes(path)),
          `${path} went unnoticed`,
        );
    });
  }

  test('reads imports over several lines and reports where they begin', () => {
    const text = `// import '#lib/no.ts'\nimport {\n  a,\n} from '#lib/a.ts';\nconst b = await import('./b.ts');\nconst c = "from './c.ts'";\n`;
    const found = importsOf({ path: 'cloud/x/y.ts', text }).map(({ line, target }) => ({ line, target }));
    assert.deepEqual(found, [
      { line: 4, target: 'lib/a.ts' },
      { line: 5, target: 'cloud/x/b.ts' },
    ]);
  });

  test('does not mistake comments or strings for code', () => {
    const text = `/* process.env */ const a = 'process.env';\nconst b = \`process.env \${process.env.B}\`; // process.env\n`;
    assert.deepEqual(linesWith(/process\.env/, { path: 'cloud/x.ts', text }), [2]);
  });
});
