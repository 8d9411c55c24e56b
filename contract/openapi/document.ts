import type { TSchema } from 'typebox';
/** A JSON Schema as it stands in the document: the keywords this platform writes. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
};

type Header = { description: string; schema: Schema };

export type Content = Record<
  string,
  { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
>;

export type Response = {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Content;
};

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters: Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, Response>;
  security: Record<string, string[]>[];
  /** who may call, in words */
  'x-access': string;
  'x-oauth-scope'?: string;
  'x-internal'?: true;
};

/** OpenAPI 3.1, as far as it is used here. */
export type OpenApiDocument = {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, { type: 'http'; scheme: string; bearerFormat?: string; description: string }>;
  };
};

/** Open takes more than it knows, as readers should; closed is how requests are checked. */
type Openness = 'open' | 'closed';

export type SchemaRegistry = {
  /** the schema as it stands in the document, with everything that has a title behind a reference */
  add(schema: TSchema, openness: Openness): Schema;
  components: Record<string, Schema>;
};

export function createSchemaRegistry(): SchemaRegistry {
  const components: Record<string, Schema> = {};

  function place(given: object, openness: Openness): Schema {
    const schema = given as Schema;
    if (schema.title === undefined) return placeInside(schema, openness);
    if (Array.isArray(schema.type)) {
      const type = schema.type.filter((each) => each !== 'null');
      return { anyOf: [place({ ...schema, type: type.length === 1 ? type[0] : type }, openness), { type: 'null' }] };
    }
    const open = placeInside(schema, 'open');
    const placed = placeInside(schema, openness);
    const name = same(open, placed) ? schema.title : `${schema.title}Input`;
    if (components[name] && !same(components[name], placed)) throw new Error(`Two schemas have the title ${name}.`);
    components[name] = placed;
    return { $ref: `#/components/schemas/${name}` };
  }

  function placeInside(schema: Schema, openness: Openness): Schema {
    const one = (part: Schema): Schema => place(part, openness);
    const { properties, patternProperties, additionalProperties, items, anyOf, oneOf, allOf } = schema;
    const isClosed = openness === 'closed' && properties && additionalProperties === undefined;
    return {
      ...schema,
      ...(properties && { properties: mapValues(properties, one) }),
      ...(patternProperties && { patternProperties: mapValues(patternProperties, one) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: one(additionalProperties) }),
      ...(isClosed && { additionalProperties: false }),
      ...(items && { items: one(items) }),
      ...(anyOf && { anyOf: anyOf.map(one) }),
      ...(oneOf && { oneOf: oneOf.map(one) }),
      ...(allOf && { allOf: allOf.map((part) => place(part, 'open')) }), // each knows but a part of the fields
    };
  }

  return { add: place, components };
}

const mapValues = (parts: Record<string, Schema>, change: (part: Schema) => Schema): Record<string, Schema> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]));

const same = (one: Schema, other: Schema): boolean => JSON.stringify(one) === JSON.stringify(other);
