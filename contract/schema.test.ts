import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from './schema.ts';

/** The same calls, of either. */
const made = (type: typeof Type) => ({
  text: type.String({ minLength: 1, description: 'a name' }),
  number: type.Number(),
  integer: type.Integer({ minimum: 0 }),
  boolean: type.Boolean(),
  nothing: type.Null(),
  optional: type.Optional(type.String({ pattern: '^a' })),
  object: type.Object(
    { a: type.String(), b: type.Optional(type.Number()) },
    { additionalProperties: false, description: 'two' },
  ),
  empty: type.Object({}),
  allOptional: type.Object({ b: type.Optional(type.Number()) }),
  list: type.Array(type.String(), { maxItems: 3 }),
  record: type.Record(type.String(), type.Number(), { description: 'by name' }),
  recordOfSome: type.Record(type.String({ pattern: '^a' }), type.Number()),
  words: type.Enum(['a', 'b'], { default: 'a' }),
  either: type.Union([type.String(), type.Null()], { description: 'one of two' }),
  literal: type.Literal(true),
  literalText: type.Literal('a'),
  unknown: type.Unknown({ description: 'anything' }),
  unsafe: type.Unsafe<string>({ type: ['string', 'null'] }),
  both: type.Intersect([type.Object({ a: type.String() }), type.Record(type.String(), type.Unknown())], {
    description: 'both',
  }),
  partial: type.Partial(type.Object({ a: type.String(), b: type.Optional(type.Number()) })),
  partialInside: type.Object({ inside: type.Optional(type.Partial(type.Object({ a: type.String() }))) }),
});

suite('a schema', () => {
  const theirs = made(TypeBox);
  for (const [name, schema] of Object.entries(made(Type))) {
    test(`of ${name} is what TypeBox makes, to the letter`, () => {
      assert.equal(JSON.stringify(schema), JSON.stringify(theirs[name as keyof typeof theirs]));
    });
  }
});
