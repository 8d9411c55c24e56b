import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPage } from './next-page.ts';

async function* listOf<Item>(...items: Item[]): AsyncGenerator<Item> {
  yield* items;
}

test('a list is read page by page, the last one shorter', async () => {
  const list = listOf(1, 2, 3);
  assert.deepEqual(await nextPage(() => list, 2), [1, 2]);
  assert.deepEqual(await nextPage(() => list, 2), [3]);
});

for (const { says, end } of [
  { says: 'was read', end: (old: PromiseWithResolvers<void>) => old.resolve() },
  { says: 'failed', end: (old: PromiseWithResolvers<void>) => old.reject(new Error('No.')) },
]) {
  test(`a list that is replaced twice before the first page ${says} returns the newest`, async () => {
    const waiting = Promise.withResolvers<void>();
    let current = (async function* () {
      await waiting.promise;
      yield 'old';
    })();
    const piece = nextPage(() => current, 2);
    current = listOf('between');
    current = listOf('new');
    end(waiting);
    assert.deepEqual(await piece, ['new']);
  });
}
