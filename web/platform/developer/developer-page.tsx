import { useSignal } from '@preact/signals';
import { Select } from '../../parts/field.tsx';
import { keptElsewhere } from '../../parts/kept-elsewhere.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { allSites, currentSite } from '../site.ts';
import { EventViewer } from './event-viewer.tsx';
import { Reference } from './reference.tsx';
import { Snippets } from './snippets.tsx';
import { Tokens } from './tokens.tsx';
import './developer.css';

const t = texts({
  en: {
    title: 'Developer',
    says: 'The same interface that these pages use, with your own ids filled in.',
    site: 'Site',
  },
  sv: {
    title: 'Utvecklare',
    says: 'Samma gränssnitt som sidorna använder, med dina egna id ifyllda.',
    site: 'Anläggning',
  },
});

export default function DeveloperPage() {
  const sites = useLoad(allSites, []);
  const chosen = useSignal(currentSite() ?? '');
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      <Loaded from={sites}>
        {(list) => {
          const site = list.find(({ id }) => id === chosen.value) ?? list[0];
          return (
            <>
              {list.length > 1 && site && (
                <Select
                  label={t('site')}
                  value={keptElsewhere(
                    () => site.id,
                    (id) => {
                      chosen.value = id;
                    },
                  )}
                  choices={list.map(({ id, name }) => ({ value: id, label: name }))}
                />
              )}
              <div class="cards">
                <Tokens />
                <Snippets site={site} />
              </div>
              {site && <EventViewer key={site.id} siteId={site.id} />}
              <Reference site={site} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}
