import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openSequence } from './sequence.ts';

const log = createLog({ level: 'silent', name: 'test' });

test('numbers keep rising over restarts, even when the file is lost', async (t) => {
  const folder = temporaryFolder(t);
  let highest = 0;
  for (let start = 0; start < 4; start++) {
    const sequence = await openSequence(join(folder, 'seq.json'), 1, log);
    for (const count of [1, 5, 1]) {
      const first = sequence.take(count);
      assert.ok(first !== undefined && first > highest, `${first} comes after ${highest}`);
      highest = first + count - 1;
    }
    await sequence.settle();
  }
});
