import type { Schema } from '#contract/openapi/document.ts';
import { type Html, html, joined, prose } from './html.ts';

export const schemaName = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

export const schemaAnchor = (name: string): string => `schema-${name}`;

/** Describes the type of a value. Named schemas link to their place on the page. */
export function typeInWords(schema: Schema): Html {
  const { $ref, type, items, anyOf, oneOf, format } = schema;
  if ($ref) return html`<a href="#${schemaAnchor(schemaName($ref))}">${schemaName($ref)}</a>`;
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return joined(alternatives.map(typeInWords), ' or ');
  if (Array.isArray(type)) {
    return joined(
      type.map((each) => typeInWords({ ...schema, type: each })),
      ' or ',
    );
  }
  if (type === 'array') return html`list of ${items ? typeInWords(items) : 'anything'}`;
  const values = valuesOf(schema);
  if (type === 'object' && values) return html`object of ${typeInWords(values)} by name`;
  return html`${type ?? 'anything'}${type === 'string' && format && ` (${format})`}`;
}

/** Returns the schema of the values of an object with arbitrary keys. */
export function valuesOf({ properties, patternProperties, additionalProperties }: Schema): Schema | undefined {
  if (properties) return undefined;
  if (typeof additionalProperties === 'object') return additionalProperties;
  return Object.values(patternProperties ?? {})[0];
}

/** Returns the description, and the limits that it does not mention. */
export function meaningInWords(schema: Schema): string {
  const { description = '' } = schema;
  return [description, ...limits(schema).filter((limit) => !description.includes(limit))].filter(Boolean).join('; ');
}

function limits(schema: Schema): string[] {
  const { enum: words, const: only, default: otherwise, pattern, description, exclusiveMinimum } = schema;
  // Next to a length, a pattern only excludes control characters.
  const isMeaningful = pattern !== undefined && schema.maxLength === undefined && !description;
  return [
    words && `one of ${words.map((word) => `\`${String(word)}\``).join(', ')}`,
    only !== undefined && `always \`${JSON.stringify(only)}\``,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    range(schema.minimum, schema.maximum),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    range(schema.minProperties, undefined, ' of the fields'),
    isMeaningful && `matches \`${pattern}\``,
    otherwise !== undefined && `\`${JSON.stringify(otherwise)}\` when left out`,
  ].filter((limit) => typeof limit === 'string');
}

function range(min: number | undefined, max: number | undefined, unit = ''): string | undefined {
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
  if (min !== undefined) return `at least ${min}${unit}`;
  return max === undefined ? undefined : `at most ${max}${unit}`;
}

/** Renders the fields of an object, or of the objects in a list. */
export function fieldList(schema: Schema): Html | undefined {
  const { properties, required = [] } = inner(schema);
  if (!properties) return undefined;
  const field = ([name, property]: [string, Schema]): Html => html`
    <li>
      <code class="name">${name}</code> <span class="type">${typeInWords(property)}</span>
      ${!required.includes(name) && html`<span class="mark">optional</span>`}
      <span class="meaning">${prose(meaningInWords(property))}</span>
      ${fieldList(property)}
    </li>`;
  return html`<ul class="fields">${Object.entries(properties).map(field)}</ul>`;
}

function inner(schema: Schema): Schema {
  const part = schema.items ?? valuesOf(schema);
  return part ? inner(part) : schema;
}

/** Renders a body: its type and its fields. A named schema is expanded once; further down it is linked. */
export function shape(schema: Schema, components: Record<string, Schema>): Html {
  const { $ref } = inner(schema);
  const named = $ref ? components[schemaName($ref)] : undefined;
  const fields = fieldList(named ?? schema);
  const meaning = meaningInWords(schema);
  const isPlain = schema.properties && !meaning;
  return html`
    ${!isPlain && html`<p class="shape"><span class="type">${typeInWords(schema)}</span> ${prose(meaning)}</p>`}
    ${fields}`;
}
