import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { amount } from '#test/amount.ts';
import { includes, isFilter, isTopic, matches } from './topic-filter.ts';

/** The specification once more, as a regular expression. */
function oracle(filter: string): RegExp {
  const levels = filter.split('/').map((level) => level.replace(/[.*?^${}()|[\]\\]/g, '\\$&'));
  const patterns = levels.map((level, index) => {
    if (level === '+') return index === 0 ? '(?!\\$)[^/]*' : '[^/]*';
    if (level === '#') return index === 0 ? '(?!\\$).*' : '';
    return level;
  });
  if (levels.length > 1 && levels.at(-1) === '#') return new RegExp(`^${patterns.slice(0, -1).join('/')}(/.*)?$`, 's');
  return new RegExp(`^${patterns.join('/')}$`, 's');
}

const word = fc.constantFrom('a', 'b', '', '$a');
const topic = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map((levels) => levels.join('/'))
  .filter(isTopic);
const filter = fc
  .tuple(fc.array(fc.oneof(word, fc.constant('+')), { maxLength: 3 }), fc.constantFrom('a', '+', '#', ''))
  .map(([levels, last]) => [...levels, last].join('/'))
  .filter(isFilter);

/** Topics up to one level deeper than any filter above, over its words and one that no filter has. */
const everyTopic = (function deeper(length: number): string[] {
  const words = ['a', 'b', '', '$a', 'other'];
  if (length === 1) return words;
  return [...words, ...deeper(length - 1).flatMap((rest) => words.map((word) => `${word}/${rest}`))];
})(5).filter(isTopic);

describe('topic filters', () => {
  test('a filter matches what the specification says', () => {
    fc.assert(
      fc.property(filter, topic, (filter, topic) => {
        assert.equal(matches(filter, topic), oracle(filter).test(topic));
      }),
      { numRuns: amount(5000) },
    );
  });

  test('what an included filter matches, the allowed one matches', () => {
    fc.assert(
      fc.property(filter, filter, fc.array(topic, { maxLength: 200 }), (allowed, wanted, topics) => {
        if (!includes(allowed, wanted)) return;
        for (const topic of topics) if (matches(wanted, topic)) assert.ok(matches(allowed, topic), topic);
      }),
      { numRuns: amount(5000) },
    );
  });

  test('a filter is refused only when it matches something that is not allowed, or the broker’s own topics', () => {
    fc.assert(
      fc.property(filter, filter, (allowed, wanted) => {
        const isWithin = everyTopic.every((topic) => !matches(wanted, topic) || matches(allowed, topic));
        assert.equal(includes(allowed, wanted), isWithin && !wanted.startsWith('$'));
      }),
      { numRuns: amount(500) },
    );
  });

  test('a shared subscription is allowed when the filter in it is', () => {
    fc.assert(
      fc.property(filter, filter, (allowed, wanted) => {
        assert.equal(includes(allowed, `$share/group/${wanted}`), includes(allowed, wanted));
      }),
    );
  });

  for (const text of ['', 'a#', 'a/#/b', '#/a', 'a+', '+a/b', 'a/b+', 'a\0b', 'a/\uFFFD', 'a'.repeat(65_536)]) {
    test(`${JSON.stringify(text.slice(0, 20))} is not a filter`, () => assert.equal(isFilter(text), false));
  }

  for (const wanted of [
    '$SYS/#',
    '$SYS/a',
    '$queue/a',
    '$queue/#',
    '$share/g',
    '$share//a',
    '$share/+/a',
    '$share/g/$SYS/#',
  ]) {
    for (const allowed of ['#', '+/#', '+/+/+', wanted]) {
      test(`${wanted} is not within ${allowed}`, () => assert.equal(includes(allowed, wanted), false));
    }
  }
});
