import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyStep } from './keys.ts';

const x = Array.from({ length: 101 }, (_, i) => i * 10);
const limits = { whole: { from: 0, to: 1000 }, leastMs: 10 };
const place = { x, pointed: 50, seen: limits.whole, limits };
const press = (key: string, changes: Partial<Parameters<typeof keyStep>[1]> = {}, held = {}) =>
  keyStep({ key, ctrlKey: false, metaKey: false, altKey: false, ...held } as KeyboardEvent, { ...place, ...changes });

for (const { key, index } of [
  { key: 'ArrowRight', index: 51 },
  { key: 'ArrowLeft', index: 49 },
  { key: 'PageDown', index: 60 },
  { key: 'Home', index: 0 },
  { key: 'End', index: 100 },
]) {
  test(`${key} goes from 50 to ${index}`, () => assert.deepEqual(press(key), { index }));
}

test('reading stops at the ends', () => {
  assert.deepEqual(press('ArrowRight', { pointed: 100 }), { index: 100 });
  assert.deepEqual(press('PageUp', { pointed: 3 }), { index: 0 });
});

test('reading begins at the edge of what is seen', () => {
  const seen = { from: 200, to: 400 };
  assert.deepEqual(press('ArrowRight', { pointed: undefined, seen }), { index: 20 });
  assert.deepEqual(press('ArrowLeft', { pointed: undefined, seen }), { index: 40 });
});

test('plus and minus zoom around the value that is pointed at', () => {
  assert.deepEqual(press('+'), { seen: { from: 250, to: 750 } });
  assert.deepEqual(press('-', { seen: { from: 400, to: 600 } }), { seen: { from: 300, to: 700 } });
  assert.deepEqual(press('0', { seen: { from: 400, to: 600 } }), { seen: limits.whole });
});

test('other keys, and those of the browser, are left alone', () => {
  assert.equal(press('a'), undefined);
  assert.equal(press('+', {}, { ctrlKey: true }), undefined);
  assert.equal(press('ArrowRight', { x: [] }), undefined);
});
