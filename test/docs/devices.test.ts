import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../source-files.ts';
import { devicesTable } from './devices.ts';

test('docs/devices.md is what `node test/docs/devices.ts` writes', () => {
  const document = readFileSync(join(root, 'docs/devices.md'), 'utf8');
  assert.ok(document.includes(`\n${devicesTable()}\n`), 'run `node test/docs/devices.ts`');
});
