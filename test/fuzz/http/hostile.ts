import type { Random } from '#gateway/p1/testing/fuzz-damage.ts';

// Input that no well-behaved client sends.

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Texts for any field, parameter or piece of a path. */
// biome-ignore format: a row of words
export const hostileTexts = [
  '', ' ', '0', '-1', '1.5', '1e999', 'NaN', 'null', 'true', 'a\u0000b', 'a\nb', '\u001b[31m', '\ud800', '\u202e', 'ÅÄÖ', '🔌', 'e\u0301', 'ﬁ',
  'a/+/#', '../../etc/passwd', '..', '.', "' or 1=1; --", '"; drop table sites', '__proto__', 'constructor', 'toString', '%s%n', '<b>',
  'x'.repeat(129), 'x'.repeat(600), '2026-02-30', '2026-06-01T25:00:00Z', '+10000-01-01T00:00:00Z', '99999999999999999999', '0x10', 'SE3', 'solar',
];

/** Values for any field. */
export const wrongValues: readonly unknown[] = [
  null,
  true,
  [],
  [[]],
  {},
  { x: { y: 1 } },
  Array.from({ length: 200 }, (_, n) => n),
  0,
  -1,
  0.5,
  65_536,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e308,
  Number.MIN_VALUE,
  ...hostileTexts,
];

/** Invalid bodies. */
export const hostileBodies: readonly Buffer[] = [
  '',
  ' ',
  '{',
  '{"name":',
  '7',
  'null',
  '[]',
  '"x"',
  '{} {}',
  nested(33),
  nested(5000),
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"name":"a","name":"b"}',
  '{"name":"a","n\\u0061me":"b"}',
  '{"latitude":1e999}',
  '{"name":"\\ud800"}',
  `{"name":"${'x'.repeat(300 * 1024)}"}`,
  JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`k${n}`, n]))),
  'a=1&b=2',
  'a=1&a=2&__proto__=3',
  '<xml/>',
]
  .map((text) => Buffer.from(text))
  .concat(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]));

/** Pieces of a path or a query, as they appear in the address. */
// biome-ignore format: a row of words
export const hostilePieces = [
  '%00', '%0a', '%ff', '%ed%a0%80', '..%2f..%2fetc', '%2e%2e', '%', '%zz', "'", 'a%2fb', '+', '%23', 'x'.repeat(600), '%F0%9F%94%8C', '..', '.', '//',
  '%5c..%5c', ';x=1', '%C3%A5', '~', '*', '@', '%252e', '__proto__', 'constructor', '%20', '%7B%7D',
];

export const oddTypes = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '*/*',
  'application/json; charset=utf-16',
  'application/json;;',
  'APPLICATION/JSON',
  'x',
];

const oddHeaders: readonly [name: string, values: readonly string[]][] = [
  ['idempotency-key', ['a', 'x'.repeat(1000), '', '\u00e5', 'a b']],
  ['if-none-match', ['*', 'W/"x"', '"', ',,,,', 'x'.repeat(2000)]],
  ['accept', ['text/html', 'text/csv', '*/*;q=0', 'application/json;q=2', '\u00ff']],
  ['accept-encoding', ['br', 'gzip;q=0', 'x']],
  ['last-event-id', ['-1', '99999999999999999999', 'x', '1.5']],
  ['x-forwarded-for', ['1.2.3.4', 'x', '::1, ::2']],
  ['x-http-method-override', ['DELETE']],
  ['cookie', ['a=b', '_session=x; _interaction=y', ';;;=']],
  ['origin', ['http://evil.test', 'null']],
  ['range', ['bytes=0-', 'bytes=9-1']],
  ['x-api-form', ['earlier', 'later', 'none']],
];

export function oddHeader(random: Random): Record<string, string> {
  const [name, values] = oddHeaders[random.below(oddHeaders.length)]!;
  return { [name]: values[random.below(values.length)]! };
}

export const oddMethods = ['HEAD', 'OPTIONS', 'PATCH', 'PUT', 'DELETE', 'POST', 'GET'];
