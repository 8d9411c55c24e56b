import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasTest } from './test-titles.ts';

const source = [
  "test('a gateway is claimed', () => {});",
  "for (const { says } of [{ says: 'an old key' }, { says: 'no key' }])",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
  '  test(`${says} is refused`, () => {});',
  "for (const says of ['a table alone']) test(says, () => {});",
].join('\n');

for (const { title, isThere } of [
  { title: 'a gateway is claimed', isThere: true },
  { title: 'a gateway is', isThere: false },
  { title: 'a gateway', isThere: false },
  { title: 'an old key is refused', isThere: true },
  { title: '… is refused', isThere: true },
  { title: 'an old is refused', isThere: false },
  { title: ' is refused', isThere: false },
  { title: 'a table alone', isThere: true },
  { title: 'a table', isThere: false },
]) {
  test(`"${title}" ${isThere ? 'is' : 'is not'} the title of a test`, () =>
    assert.equal(hasTest(source, title), isThere));
}
