import type { Schema } from '#contract/openapi/document.ts';
import { type Html, html, prose } from './html.ts';
import { meaningInWords, schemaName, typeInWords, valuesOf } from './schema-words.ts';

/** The fields of an object, or of the objects in a list, one under the other. */
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

/** A body: its type in words, and its fields. Something with a name is opened once, and linked further down. */
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
