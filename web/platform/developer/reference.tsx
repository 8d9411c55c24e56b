import { useSignal } from '@preact/signals';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import type { Site } from '#contract/cloud/sites.ts';
import { accessInWords } from '#contract/openapi/access-words.ts';
import { priceRoutes } from '#contract/price/routes.ts';
import type { Route } from '#contract/route.ts';
import { Card } from '../../parts/card.tsx';
import { Code } from '../../parts/copy.tsx';
import { Field } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { curlOf, fieldsOf, type KnownValues } from './route-words.ts';

const t = texts({
  en: {
    title: 'API reference',
    search: 'Find an operation',
    none: 'No operation has these words.',
    access: 'Who may call: {who}',
    problems: 'May answer with: {codes}',
    more: 'Also as:',
    required: 'needed',
  },
  sv: {
    title: 'API-referens',
    search: 'Hitta en operation',
    none: 'Ingen operation har de orden.',
    access: 'Vem som får anropa: {who}',
    problems: 'Kan svara med: {codes}',
    more: 'Även som:',
    required: 'krävs',
  },
});

const routes = [...cloudRoutes, ...priceRoutes].filter(({ access }) => access !== 'internal');

/** Every operation of the platform, from the objects that the server itself is made of. */
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
    <Card title={t('title')}>
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
    <details
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>
        <b class={`method ${method.toLowerCase()}`}>{method}</b> <code>{path}</code> <span class="says">{summary}</span>
      </summary>
      {isOpen.value && (
        <div class="operation">
          {description && <p>{description}</p>}
          <p class="says">{t('access', { who: accessInWords(access) })}</p>
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
