import type { Type as Builder } from 'typebox';

type Options = Record<string, unknown>;
type Schema = Record<string, unknown>;
type Fields = Record<string, Schema>;

const optional = '~optional';

const make =
  (type: string) =>
  (options: Options = {}): Schema => ({ type, ...options });

/** Marks a schema as optional with a non-enumerable property, which copies and JSON leave out. */
const marked = (schema: Schema): Schema => Object.defineProperty({ ...schema }, optional, { value: true });

function objectOf(properties: Fields, options: Options = {}): Schema {
  const required = Object.keys(properties).filter((name) => !(optional in properties[name]!));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

const fieldsOf = (schema: Schema): Fields => schema.properties as Fields;

const mapFields = (fields: Fields, map: (schema: Schema) => Schema): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, map(schema)]));

const builder = {
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
  Omit: (schema: Schema, names: readonly string[]) =>
    objectOf(Object.fromEntries(Object.entries(fieldsOf(schema)).filter(([name]) => !names.includes(name)))),
  Optional: marked,
  Partial: (schema: Schema) => objectOf(mapFields(fieldsOf(schema), marked)),
  Record: (key: Schema, value: Schema, options: Options = {}) => ({
    type: 'object',
    patternProperties: { [(key.pattern as string | undefined) ?? '^.*$']: value },
    ...options,
  }),
  String: make('string'),
  Union: (anyOf: Schema[], options: Options = {}) => ({ anyOf, ...options }),
  Unknown: (options: Options = {}) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
};

/**
 * Builds typed JSON schemas. The types are those of TypeBox, the implementation is not, because loading all of
 * TypeBox takes a fifth of the start-up time.
 */
export const Type = builder as unknown as Pick<typeof Builder, keyof typeof builder>;
