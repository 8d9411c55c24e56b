/** A JSON Schema, with the keywords that this platform uses. */
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
  /** description of the permitted callers */
  'x-access': string;
  'x-oauth-scope'?: string;
  'x-internal'?: true;
};

export type OpenApiDocument = {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, { description: string; schema: Schema }>;
    securitySchemes: Record<string, { type: 'http'; scheme: string; bearerFormat?: string; description: string }>;
  };
};

/** open: unknown fields are allowed, as in replies; closed: they are rejected, as in requests. */
type Openness = 'open' | 'closed';

export type SchemaRegistry = ReturnType<typeof createSchemaRegistry>;

export function createSchemaRegistry() {
  const components: Record<string, Schema> = {};

  /** Returns the schema for the document; schemas with a title become referenced components. */
  function place(schema: Schema, openness: Openness): Schema {
    if (schema.title === undefined) return placeInside(schema, openness);
    if (Array.isArray(schema.type)) {
      const [first = 'null', ...others] = schema.type.filter((each) => each !== 'null');
      const type = others.length === 0 ? first : [first, ...others];
      return { anyOf: [place({ ...schema, type }, openness), { type: 'null' }] };
    }
    const open = placeInside(schema, 'open');
    const placed = placeInside(schema, openness);
    const name = same(open, placed) ? schema.title : `${schema.title}Input`;
    if (components[name] && !same(components[name], placed))
      throw new Error(`Two different schemas have the title ${name}.`);
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
      ...(allOf && { allOf: allOf.map((part) => place(part, 'open')) }), // each part has only some of the fields
    };
  }

  return { add: place, components };
}

const mapValues = (parts: Record<string, Schema>, change: (part: Schema) => Schema): Record<string, Schema> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]));

const same = (one: Schema, other: Schema): boolean => JSON.stringify(one) === JSON.stringify(other);
