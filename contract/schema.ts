import type { Type as Builder } from 'typebox';

type Options = Record<string, unknown>;
type Schema = Options & { properties?: Fields; pattern?: string };
type Fields = Record<string, Schema>;

const optional = '~optional';

const make =
  (type: string) =>
  (options: Options = {}): Schema => ({ type, ...options });

/** Marks a schema as optional with a non-enumerable property, which copies and JSON leave out. */
const marked = (schema: Schema): Schema => Object.defineProperty({ ...schema }, optional, { value: true });

function objectOf(properties: Fields, options: Options = {}): Schema {
  const required = Object.entries(properties).flatMap(([name, schema]) => (optional in schema ? [] : [name]));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

/**
 * Builds typed JSON schemas. The types are those of TypeBox, the implementation is not, because loading all of
 * TypeBox takes a fifth of the start-up time.
 */
export const Type = typedAsTypeBox({
  Array: (items: Schema, options: Options = {}) => ({ type: 'array', items, ...options }),
  Boolean: make('boolean'),
  Enum: (words: readonly unknown[], options: Options = {}) => ({ enum: words, ...options }),
  Integer: make('integer'),
  Intersect: (allOf: Schema[], options: Options = {}) => ({ allOf, ...options }),
  Literal: (value: string | number | boolean, options: Options = {}) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: make('null'),
  Number: make('number'),
  Object: objectOf,
  Optional: marked,
  Partial: ({ properties = {} }: Schema) =>
    objectOf(Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, marked(field)]))),
  Record: ({ pattern = '^.*$' }: Schema, value: Schema, options: Options = {}) => ({
    type: 'object',
    patternProperties: { [pattern]: value },
    ...options,
  }),
  String: make('string'),
  Union: (anyOf: Schema[], options: Options = {}) => ({ anyOf, ...options }),
  Unknown: (options: Options = {}) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
});

/** Declares that these functions return what the functions of TypeBox with the same names return. */
function typedAsTypeBox<Name extends keyof typeof Builder>(own: Record<Name, unknown>): Pick<typeof Builder, Name>;
function typedAsTypeBox(own: object): object {
  return own;
}
