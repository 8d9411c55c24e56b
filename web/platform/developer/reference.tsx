import { useSignal } from '@preact/signals';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import type { Site } from '#contract/cloud/sites.ts';
import type { Schema } from '#contract/openapi/document.ts';
import { describeAccess, exampleOf } from '#contract/openapi/operation.ts';
import { priceRoutes } from '#contract/price/routes.ts';
import { paramNames, type Route } from '#contract/route.ts';
import { Code } from '../../parts/copy.tsx';
import { Field } from '../../parts/field.tsx';
import { Card } from '../../parts/layout.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  none: 'No matching operations.',
  access: 'Access: {who}',
  problems: 'Possible errors: {codes}',
  more: 'Also available as:',
  required: 'required',
});

type KnownValues = Readonly<Record<string, string | undefined>>;

type FieldWords = { name: string; type: string; says: string; isRequired: boolean };

/** Lists the fields of a route's query, body and replies. */
function fieldsOf({ query, body, replies }: Route): { place: string; fields: FieldWords[] }[] {
  const places: Record<string, Schema | null | undefined> = { query, body, ...replies };
  return ['query', 'body', ...Object.keys(replies)].flatMap((place) => {
    const { properties = {}, required = [] } = objectOf(places[place]);
    const fields = Object.entries(properties).map(([name, field]) => ({
      name,
      type: typeOf(field),
      says: field.description ?? '',
      isRequired: required.includes(name),
    }));
    return fields.length > 0 ? [{ place, fields }] : [];
  });
}

/** Returns the schema of a list's items. */
function objectOf(schema: Schema | null | undefined): Schema {
  if (!schema) return {};
  return schema.type === 'array' && schema.items ? objectOf(schema.items) : schema;
}

function typeOf({ type, enum: words, items, format }: Schema): string {
  if (words) return words.flatMap((word) => (typeof word === 'string' ? [word] : [])).join(' | ');
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`;
  return [Array.isArray(type) ? type.join(' or ') : (type ?? ''), format].filter(Boolean).join(', ');
}

/** Returns a curl command with known IDs filled in. */
function curlOf(route: Route, known: KnownValues, origin: string): string {
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

const routes = [...cloudRoutes, ...priceRoutes].filter(({ access }) => access !== 'internal');

/** Lists all operations, read from the same route objects as the server. */
export function Reference({ site }: { site: Site | undefined }) {
  const search = useSignal('');
  const words = search.value.toLowerCase().split(/\s+/);
  const found = routes.filter((route) => {
    const text = `${route.method} ${route.path} ${route.tag} ${route.summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const tags = [...new Set(found.map(({ tag }) => tag))];
  const known: KnownValues = { site_id: site?.id, org_id: site?.org_id, identity_id: api().identityId };
  return (
    <Card title={t('apiReference')}>
      <p class="says">
        {t('more')} <a href="/docs">/docs</a> · <a href="/redoc">/redoc</a> · <a href="/openapi.json">/openapi.json</a>
      </p>
      <Field label={t('search')} value={search} placeholder="GET sites" />
      {found.length === 0 && <p class="says">{t('none')}</p>}
      {tags.map((tag) => (
        <section key={tag} class="operations">
          <h3>{tag}</h3>
          {found
            .filter((route) => route.tag === tag)
            .map((route) => (
              <Operation key={route.method + route.path} route={route} known={known} />
            ))}
        </section>
      ))}
    </Card>
  );
}

function Operation({ route, known }: { route: Route; known: KnownValues }) {
  const isOpen = useSignal(false);
  const { method, path, summary, description, access, problems = [] } = route;
  return (
    <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        <b class={`method ${method.toLowerCase()}`}>{method}</b> <code>{path}</code> <span class="says">{summary}</span>
      </summary>
      {isOpen.value && (
        <div class="operation">
          {description && <p>{description}</p>}
          <p class="says">{t('access', { who: describeAccess(access) })}</p>
          {fieldsOf(route).map(({ place, fields }) => (
            <dl key={place}>
              <dt class="says">{place}</dt>
              {fields.map(({ name, type, says, isRequired }) => (
                <dd key={name}>
                  <code>{name}</code>{' '}
                  <span class="says">{[type, isRequired && t('required'), says].filter(Boolean).join(', ')}</span>
                </dd>
              ))}
            </dl>
          ))}
          {problems.length > 0 && <p class="says">{t('problems', { codes: problems.join(', ') })}</p>}
          <Code>{curlOf(route, known, location.origin)}</Code>
        </div>
      )}
    </details>
  );
}
