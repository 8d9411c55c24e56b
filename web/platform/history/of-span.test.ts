import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofSpan } from './of-span.ts';

const day = { from: 0, to: 86_400_000 };
const month = { from: 0, to: 30 * 86_400_000 };
const again = (): void => {};
const problem = new Error('away');

for (const { says, load, value } of [
  { says: 'what is of the span is there', load: { isLoading: false }, value: { span: month, amount: 64 } },
  { says: 'so it is while it is loaded again', load: { isLoading: true }, value: { span: { ...month }, amount: 64 } },
  { says: 'and when that fails', load: { isLoading: false, problem }, value: { span: month, amount: 64 } },
]) {
  test(says, () => assert.deepEqual(ofSpan({ ...load, value, again }, month), { ...load, value, again }));
}

for (const { says, load } of [
  { says: 'what is of another span is not there while the next is loaded', load: { isLoading: true } },
  { says: 'nor when the next could not be loaded', load: { isLoading: false, problem } },
]) {
  test(says, () => {
    const value = { span: day, amount: 11.89 };
    assert.deepEqual(ofSpan({ ...load, value, again }, month), { ...load, again });
  });
}

test('where nothing was found there is nothing', () => {
  assert.deepEqual(ofSpan({ isLoading: false, value: undefined, again }, month), { isLoading: false, again });
});
