import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../source-files.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const table = (document: string): string[] =>
  read(document)
    .split('\n')
    .filter((line) => line.startsWith('| `'));

const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

test('docs/supply-chain.md lists each production dependency with its version and licence', () => {
  const listed = table('docs/supply-chain.md').map((line) => line.split(' | ').slice(0, 3).join(' | '));
  const installed = Object.entries(dependencies).map(([name, version]) => {
    const { license } = JSON.parse(read(`node_modules/${name}/package.json`)) as { license: string };
    return `| \`${name}\` | ${version} | ${license}`;
  });
  assert.deepEqual(listed, installed);
});

test('decision 0010 gives a reason for each', () => {
  const reasons = table('docs/decisions/0010-production-dependencies.md').flatMap((line) =>
    [...line.split(' | ')[0]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
  assert.deepEqual(reasons.toSorted(), Object.keys(dependencies).toSorted());
});
