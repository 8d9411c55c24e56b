import type { Type as Builder } from 'typebox';

type Options = Record<string, unknown>;
type Schema = Record<string, unknown>;
type Fields = Record<string, Schema>;

const optional = '~optional';

const make =
  (type: string) =>
  (options: Options = {}): Schema => ({ type, ...options });

/** A mark that is in no JSON; whoever copies a schema leaves it behind. */
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
 * Makes JSON schemas that TypeScript knows the types of. The types are TypeBox's; what makes the schemas is not: all of
 * TypeBox, loaded for these few, takes a fifth of the time in which a program starts.
 */
export const Type = builder as unknown as Pick<typeof Builder, keyof typeof builder>;
