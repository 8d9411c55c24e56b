import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { loadCommands } from '../../cli/commands/index.ts';
import { root } from '../source-files.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const files = globSync('{*.md,docs/**/*.md,deploy/**/*}', { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  .filter((file) => file !== 'CHANGELOG.md');

suite('documents and the files for operators', () => {
  test('name the version of this repository where they name a package or an image', () => {
    const named = files.flatMap((file) =>
      [...read(file).matchAll(/\bohmstead[-:](\d+\.\d+\.\d+)/g)].map(([, number]) => ({ file, number })),
    );
    assert.ok(named.length >= 8, 'images, packages and the lines that install them');
    assert.deepEqual(
      named.filter(({ number }) => number !== version),
      [],
    );
  });

  test('the lockfile and the changelog have this version', () => {
    const lockfile = JSON.parse(read('package-lock.json')) as {
      version: string;
      packages: { '': { version: string } };
    };
    assert.deepEqual([lockfile.version, lockfile.packages[''].version], [version, version]);
    const [, released] = /^## (\d+\.\d+\.\d+) \(\d{4}-\d{2}-\d{2}\)$/m.exec(read('CHANGELOG.md'))!;
    assert.equal(released, version);
  });

  test('use only commands that exist', async () => {
    const names = new Set((await loadCommands([])).map(({ name }) => name));
    const begins = (words: string): boolean =>
      names.has(words) || [...names].some((name) => name.startsWith(`${words} `));
    const unknown = files.flatMap((file) =>
      [
        ...read(file).matchAll(
          /(?:`|\bnpx |ExecStart=\S*\/)ohmstead ([a-z][a-z0-9-]*)(?: ([a-z][a-z0-9-]*))?(?: ([a-z][a-z0-9-]*))?/g,
        ),
      ]
        .filter(([, ...words]) => !isKnown(words.filter((word) => word !== undefined)))
        .map(([line]) => `${file}: ${line}`),
    );
    assert.deepEqual(unknown, []);

    /** Words after a command are its arguments. */
    function isKnown(words: string[]): boolean {
      const [first = '', second, third] = words;
      if (!begins(first)) return false;
      if (names.has(first) || second === undefined) return true;
      if (!begins(`${first} ${second}`)) return false;
      return names.has(`${first} ${second}`) || third === undefined || begins(`${first} ${second} ${third}`);
    }
  });
});
