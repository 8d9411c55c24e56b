import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newId, uuidv7 } from './id.ts';

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (uuid: string): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);

test('ids grow whatever the clock does', () => {
  let last = '';
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000_000 }), (now) => {
      const id = uuidv7(now);
      assert.match(id, shape);
      assert.ok(id > last);
      last = id;
    }),
  );
});

test('an id begins with the time it was made', () => {
  const now = Date.UTC(2026, 0, 1);
  assert.equal(timeOf(uuidv7(now)), now);
});

test('ids of one millisecond keep their order beyond what the counter holds', () => {
  const now = Date.UTC(2026, 0, 2);
  const ids = Array.from({ length: 20_000 }, () => uuidv7(now));
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
});

test('a prefix names the kind of object', () => {
  const id = newId('org', Date.UTC(2026, 0, 3));
  assert.ok(id.startsWith('org-'));
  assert.match(id.slice(4), shape);
});
