import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Skipped, skippedEvidence, unbearable } from './skipped-evidence.ts';

const browser: Skipped = { file: 'test/browser/cross-site.test.ts', title: 'a page', reason: 'no Chromium' };
const disk: Skipped = {
  file: 'test/faults/full-disk.test.ts',
  title: 'a full disk',
  reason: 'a small disk cannot be mounted here',
};
const shell: Skipped = { file: 'cli/commands/completion.test.ts', title: 'fish', reason: 'no fish' };

test('what is skipped in a file of the evidence is told, and is a failure unless it can be borne', () => {
  assert.deepEqual(skippedEvidence([browser, disk, shell]), [browser, disk]);
  assert.deepEqual(unbearable([browser, disk, shell]), [browser]);
});
