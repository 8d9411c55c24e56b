import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  expressionsIn,
  type Found,
  literalExpressions,
  searchMs,
  suspects,
  worstTexts,
} from './regular-expressions.ts';

const length = 100_000;
const mostMs = 10;

/** Expressions that are slow on long texts, the longest text they get, and what limits it. */
const bounded: Record<string, { most: number; by: string }> = {
  '\\/+$': { most: 500, by: 'the address is one that an operator types' },
  '((?:\\\\.|[^:\\\\])*):': { most: 500, by: 'a line of nmcli has a name of 32 bytes' },
  '^(?:[\\w.-]+:)?([A-Za-z_][\\w.-]*)((?:\\s+[\\w:.-]+\\s*=\\s*(?:"[^"]*"|\'[^\']*\'))*)\\s*$': {
    most: 2000,
    by: 'longer tags are refused before',
  },
  '\\s(?:[\\w.-]+:)?([\\w.-]+)\\s*=\\s*(?:"([^"]*)"|\'([^\']*)\')': {
    most: 2000,
    by: 'longer tags are refused before',
  },
  '\\.?0+$': { most: 40, by: 'it is a price of four decimals' },
  '(\\.\\d+)?(Z|[+-]\\d\\d:?\\d\\d)?$': { most: 10_000, by: 'it is a time in a file of an operator' },
  '(\\d+)$': { most: 500, by: 'it names the coordinates of a map' },
  '[\\d.]+px': { most: 500, by: 'it is a font of our own pages' },
  '=+$': { most: 1000, by: 'it is a key that a person types' },
};

function slowest({ pattern, flags }: Found, longest: number): { ms: number; text: string } {
  const expression = new RegExp(pattern, flags);
  let worst = { ms: 0, text: '' };
  for (const text of suspects(expression, worstTexts(pattern, longest), mostMs)) {
    const ms = searchMs(expression, text, mostMs);
    if (ms > worst.ms) worst = { ms, text: `${JSON.stringify(text.slice(0, 8))}... ${JSON.stringify(text.slice(-2))}` };
    if (ms > mostMs) break;
  }
  return worst;
}

const shown = ({ file, pattern, flags }: Found): string => `${file} /${pattern}/${flags}`;

suite('regular expressions', () => {
  const all = literalExpressions();
  // An expression without unbounded repetition takes time in proportion to the length only.
  const repeats = all.filter(({ pattern }) => /[*+]|,\}/.test(pattern));
  const once = [...new Map(repeats.map((found) => [`/${found.pattern}/${found.flags}`, found])).values()];

  test('are found in the source', () => {
    assert.ok(all.length > 200 && once.length > 60, `${once.length} of ${all.length}`);
    assert.deepEqual(expressionsIn('a.ts', 'const x: RegExp = /a+(?<b>b)/giu;'), [
      { file: 'a.ts', pattern: 'a+(?<b>b)', flags: 'giu' },
    ]);
  });

  test('search 100 kB of the worst text within 10 ms', () => {
    const slow = once.flatMap((found) => {
      const limit = bounded[found.pattern];
      const { ms, text } = slowest(found, limit?.most ?? length);
      return ms > mostMs ? [`${shown(found)} takes ${ms.toFixed()} ms for ${text}`] : [];
    });
    assert.deepEqual(slow, []);
  });

  test('that get short texts only still exist', () => {
    const patterns = new Set(all.map(({ pattern }) => pattern));
    assert.deepEqual(
      Object.keys(bounded).filter((pattern) => !patterns.has(pattern)),
      [],
    );
  });

  for (const pattern of ['^(a+)+$', '^(?:[^"]*"[^"]*"|\\s*)*;$']) {
    test(`such as /${pattern}/ are detected`, () => {
      assert.ok(slowest({ file: '', pattern, flags: '' }, length).ms > mostMs);
    });
  }
});
