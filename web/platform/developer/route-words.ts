import type { Schema } from '#contract/openapi/document.ts';
import { exampleOf } from '#contract/openapi/example.ts';
import { paramNames, type Route } from '#contract/route.ts';

export type KnownValues = Readonly<Record<string, string | undefined>>;

type FieldWords = { name: string; type: string; says: string; isRequired: boolean };

/** What a request of this route takes, place by place. */
export function fieldsOf({ query, body, replies }: Route): { place: string; fields: FieldWords[] }[] {
  const places: [string, unknown][] = [
    ['query', query],
    ['body', body],
    ...Object.entries(replies).map(([status, schema]): [string, unknown] => [status, schema]),
  ];
  return places.flatMap(([place, schema]) => {
    const { properties = {}, required = [] } = objectOf(schema as Schema | null | undefined);
    const fields = Object.entries(properties).map(([name, field]) => ({
      name,
      type: typeOf(field),
      says: field.description ?? '',
      isRequired: required.includes(name),
    }));
    return fields.length > 0 ? [{ place, fields }] : [];
  });
}

/** Of a list the object it holds. */
function objectOf(schema: Schema | null | undefined): Schema {
  if (!schema) return {};
  return schema.type === 'array' && schema.items ? objectOf(schema.items) : schema;
}

function typeOf({ type, enum: words, items, format }: Schema): string {
  if (words) return words.flatMap((word) => (typeof word === 'string' ? [word] : [])).join(' | ');
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`;
  return [Array.isArray(type) ? type.join(' or ') : (type ?? ''), format].filter(Boolean).join(', ');
}

/** The call as one types it, with what is known of the person filled in. */
export function curlOf(route: Route, known: KnownValues, origin: string): string {
  const { method, path, access, body } = route;
  const filled = paramNames(path).reduce(
    (text, name) => text.replace(`{${name}}`, known[name] ?? name.toUpperCase()),
    path,
  );
  const given = body ? withKnown(exampleOf(body, {}), known) : undefined;
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${origin}${filled}`,
    ...(typeof access === 'object' ? [`-H "Authorization: Bearer TOKEN"`] : []),
    ...(given === undefined ? [] : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(given)}'`]),
  ].join(' \\\n  ');
}

const withKnown = (example: unknown, known: KnownValues): unknown =>
  typeof example === 'object' && example !== null && !Array.isArray(example)
    ? Object.fromEntries(Object.entries(example).map(([name, value]) => [name, known[name] ?? value]))
    : example;
