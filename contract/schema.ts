import type { Type as Builder, Static, TProperties, TSchema, TString } from 'typebox';

export type { Static, TObject, TProperties, TSchema } from 'typebox';

type Options = Record<string, unknown>;
type Schema = Options & { properties?: Fields; pattern?: string };
type Fields = Record<string, Schema>;

const optionalMark = '~optional';

const make =
  (type: string) =>
  (options: Options = {}): Schema => ({ type, ...options });

/** Marks a schema as optional with a non-enumerable property, which copies and JSON leave out. */
const marked = (schema: Schema): Schema => Object.defineProperty({ ...schema }, optionalMark, { value: true });

function objectOf(properties: Fields, options: Options = {}): Schema {
  const required = Object.entries(properties).flatMap(([name, schema]) => (optionalMark in schema ? [] : [name]));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

/** Builds JSON schemas with the types of TypeBox. Loading TypeBox itself takes a fifth of the start-up time. */
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

// ajv compiles patterns with the u flag, so \p{Cs} matches lone surrogates, which databases cannot store.
const printable = '^[^\\p{Cc}\\p{Cs}]*$';

export const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^(?=.*\\S)[^\\p{Cc}\\p{Cs}]*$',
  description: '1 to 128 characters, not blank, no control characters',
});

/** A line of text that may be empty. */
export const Text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: printable, ...(description && { description }) });

/** The id of an object; any other text is simply not found. */
export const Id = Text(128);

export const Sn = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[^\\p{Cc}\\p{Cs}]+$',
  description: '1 to 128 characters without control characters',
});

export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' });

const serialPattern = '^[A-Za-z0-9_:-]{3,64}$';

export const isSerial = (text: string): boolean => new RegExp(serialPattern).test(text);

/** Opaque gateway serial, used in topics and routing keys, so without dots and wildcards. */
export const Serial = Type.String({ pattern: serialPattern, description: '3 to 64 of A-Z a-z 0-9 _ : -' });

export const KeyText = Type.String({
  maxLength: 4096,
  pattern: '^[\\x20-\\x7e\\r\\n]*$', // the lines of a PEM
  description: 'base64, base64url, hex or PEM',
});

export const SignatureText = Text(1024, 'base64, base64url or hex');

export const OrgFilter = Type.Optional(
  Text(128, 'only objects of this organization; all if empty, none if the caller cannot see the organization'),
);

export const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'page size' })),
  cursor: Type.Optional(Text(512, 'opaque; from the Link header of the previous page')),
};

/** The fields of a route that lists items in pages. */
export const pagesOf = <Item extends TSchema>(item: Item) =>
  ({ query: Type.Object(page), replies: { 200: Type.Array(item) }, paged: true }) as const;

/** Returns the keys of an object with their type. */
export const keysOf = <Key extends string>(object: Readonly<Record<Key, unknown>>) => Object.keys(object) as Key[];

export const texts = <const Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, Type.String()])) as Record<Name, TString>;

export const optional = <Fields extends TProperties>(fields: Fields) => Type.Partial(Type.Object(fields)).properties;

export const NumberIn = (minimum: number, maximum: number, description?: string) =>
  Type.Number({ minimum, maximum, ...(description && { description }) });

export const IntegerIn = (minimum: number, maximum: number, description?: string) =>
  Type.Integer({ minimum, maximum, ...(description && { description }) });

/** One of these words. Its type is given, so that serializers need not try alternatives. */
export const OneOf = <const Word extends string>(words: readonly Word[], options: { description?: string } = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: words, ...options });

/** Counts by word; zero counts may be missing. */
export const CountsOf = <const Word extends string>(words: readonly Word[], options: { description?: string } = {}) =>
  Type.Unsafe<Partial<Record<Word, number>>>(
    Type.Object(Object.fromEntries(words.map((word) => [word, Type.Optional(Type.Integer())])), options),
  );

/** The value, or null if it is known to be absent. */
export const Nullable = <S extends TSchema & { type: string }>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] });

/** An object whose schema the OpenAPI document lists under this title. */
export const Titled = <Fields extends TProperties>(title: string, fields: Fields) => Type.Object(fields, { title });

/** An object under this title that has more fields than the given ones. */
export const OpenObject = <Fields extends TProperties>(title: string, others: string | undefined, fields: Fields) => {
  const rest = Type.Record(Type.String(), Type.Unknown(), { ...(others && { description: others }) });
  return Type.Intersect([Type.Object(fields), rest], { title });
};
