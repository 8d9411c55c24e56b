import type { Schema } from './document.ts';

/** The smallest value of a schema, for people to fill in; the components are what it refers to. */
export function exampleOf(schema: Schema, components: Record<string, Schema>): unknown {
  if (schema.$ref) return exampleOf(components[schema.$ref.split('/').at(-1)!]!, components);
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const alternative = (schema.anyOf ?? schema.oneOf)?.[0];
  if (alternative) return exampleOf(alternative, components);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, components)));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return exampleObject(schema, components);
    case 'array':
      return schema.items ? [exampleOf(schema.items, components)] : [];
    case 'string':
      return schema.format === 'date-time' ? '2026-01-01T00:00:00Z' : exampleText(schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

const exampleText = ({ pattern = '' }: Schema): string =>
  ['…', '...', 'name'].find((text) => new RegExp(pattern).test(text)) ?? '…';

/** What is required; of an object that requires nothing, its first field. */
function exampleObject({ properties = {}, required = [] }: Schema, components: Record<string, Schema>): object {
  const fields = Object.entries(properties);
  const needed = required.length > 0 ? fields.filter(([name]) => required.includes(name)) : fields.slice(0, 1);
  return Object.fromEntries(needed.map(([name, property]) => [name, exampleOf(property, components)]));
}
