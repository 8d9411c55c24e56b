import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { RecentMap } from './recent-map.ts';

suite('a map of recent entries', () => {
  test('removes the least recently used entry', () => {
    const map = new RecentMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => map.get(key)),
      [1, undefined, 3],
    );
  });

  test('removes nothing when a key is stored again', () => {
    const map = new RecentMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    assert.equal(map.get('a'), 1);
  });

  test('creates a value once', () => {
    const map = new RecentMap<object>(2);
    const made = map.getOrCreate('a', () => ({}));
    assert.equal(
      map.getOrCreate('a', () => assert.fail('made again')),
      made,
    );
  });
});
