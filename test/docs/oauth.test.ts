import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

test('every test that the table of requirements names is there', () => {
  const table = readFileSync(new URL('../../docs/oauth.md', import.meta.url), 'utf8')
    .split('## Requirements')[1]!
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Requirement'));
  assert.ok(table.length > 30);
  for (const line of table) {
    const [, file, title] = line.match(/\| ([\w-]+): ([^|]+) \|$/) ?? assert.fail(line);
    const text = readFileSync(new URL(`../oauth/${file}.test.ts`, import.meta.url), 'utf8');
    assert.ok(text.includes(title!), `${file}: ${title}`);
  }
});
