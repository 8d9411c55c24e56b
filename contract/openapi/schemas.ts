import type { TSchema } from 'typebox';
import type { Schema } from './document.ts';

/** Open takes more than it knows, as readers should; closed is how requests are checked. */
type Openness = 'open' | 'closed';

export type Schemas = {
  /** the schema as it stands in the document, with everything that has a title behind a reference */
  place(schema: TSchema, openness: Openness): Schema;
  components: Record<string, Schema>;
};

export function createSchemas(): Schemas {
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

  return { place, components };
}

const mapValues = (parts: Record<string, Schema>, change: (part: Schema) => Schema): Record<string, Schema> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]));

const same = (one: Schema, other: Schema): boolean => JSON.stringify(one) === JSON.stringify(other);
