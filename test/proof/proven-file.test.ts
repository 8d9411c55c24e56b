import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Proven } from './proof.ts';
import { proofs } from './proofs.ts';
import { keepProven } from './proven-file.ts';

const line = (id: string, tried: number): Proven => ({
  id,
  what: id,
  tried,
  failed: 0,
  planted_bug_caught: true,
  seconds: 1,
  in_full: true,
});

test('a proof that is run again replaces its own entry and keeps the others', (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'proof.json');
  keepProven(file, [line('old', 1), line('S2', 1), line('S3', 1)], ['old', 'S1', 'S2', 'S3']);
  keepProven(file, [line('S3', 7), line('S1', 7)], ['S1', 'S2', 'S3']);
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Proven[];
  assert.deepEqual(
    kept.map(({ id, tried }) => [id, tried]),
    [
      ['S1', 7],
      ['S2', 1],
      ['S3', 7],
    ],
  );
});

test('every proof has an id of its own', () => {
  assert.equal(new Set(proofs.map(({ id }) => id)).size, proofs.length);
});
