import { useEffect } from 'preact/hooks';
import type { Site } from '#contract/cloud/sites.ts';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { go, Link, pageUrl } from '../../parts/router.tsx';
import { TableCard } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { session } from '../session.ts';
import { allSites, chosenSites } from '../site.ts';
import { BackupReminder } from './backup-reminder.tsx';
import { NewSite } from './new-site.tsx';
import './sites.css';

const t = texts({
  en: {
    title: 'Sites',
    all: 'Your sites',
    name: 'Name',
    area: 'Price area',
    country: 'Country',
    zone: 'Time zone',
    more: 'Another site',
    settings: 'Settings',
    registered: 'The platform did not know this key until now; it is registered, and you begin as somebody new.',
    titleFirst: 'Three steps to your first values',
    one: '1. Your key',
    oneSays: 'Done: this browser holds it.',
    two: '2. Your site',
    three: '3. Your gateway',
    threeSays: 'Then claim the gateway that stands in the house, and add its devices.',
    claim: 'Claim a gateway',
  },
  sv: {
    title: 'Anläggningar',
    all: 'Dina anläggningar',
    name: 'Namn',
    area: 'Elområde',
    country: 'Land',
    zone: 'Tidszon',
    more: 'En till',
    settings: 'Inställningar',
    registered: 'Plattformen kände inte till nyckeln förrän nu; den är registrerad och du börjar som ny.',
    titleFirst: 'Tre steg till dina första värden',
    one: '1. Din nyckel',
    oneSays: 'Klart: den finns i webbläsaren.',
    two: '2. Din anläggning',
    three: '3. Din gateway',
    threeSays: 'Ta sedan över gatewayen som står i huset, och lägg till dess enheter.',
    claim: 'Ta över en gateway',
  },
});

const nowOf = ({ id }: Site): string => `/app/sites/${encodeURIComponent(id)}`;

export default function SitesPage() {
  const sites = useLoad(allSites, []);
  const first = sites.value?.[0];
  const chosen = useLoad(chosenSites, []).value?.[0];
  const current = session.value;
  // Whoever has just made the key knows it; a key file may be that of another platform.
  const isNew = current.state === 'in' && current.isNew && current.isBackedUp;
  const isStart = pageUrl.value.pathname === '/';
  useEffect(() => {
    if (isStart && chosen) go(nowOf(chosen), { replace: true });
  }, [isStart, chosen]);
  return (
    <>
      {isNew && <Notice tone="good">{t('registered')}</Notice>}
      <BackupReminder />
      <Loaded from={sites}>
        {(list) =>
          list.length === 0 ? (
            <FirstSite />
          ) : (
            <>
              <PageHead title={t('title')} />
              <TableCard
                title={t('all')}
                rows={list}
                keyOf={({ id }) => id}
                columns={[
                  { title: t('name'), show: (site) => <Link to={nowOf(site)}>{site.name}</Link> },
                  { title: t('area'), show: ({ price_area }) => price_area ?? '–' },
                  { title: t('country'), show: ({ country }) => country ?? '–' },
                  { title: t('zone'), show: ({ timezone }) => timezone ?? '–' },
                  {
                    title: t('settings'),
                    show: (site) => <Link to={`${nowOf(site)}/settings`}>{t('settings')}</Link>,
                  },
                ]}
              />
              <Card title={t('more')}>
                <NewSite orgId={first?.org_id} />
              </Card>
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** What somebody sees who has nothing yet. */
function FirstSite() {
  return (
    <>
      <PageHead title={t('titleFirst')} />
      <ol class="first-steps">
        <li>
          <Card title={t('one')}>
            <p class="says">
              <Icon name="claim" /> {t('oneSays')}
            </p>
          </Card>
        </li>
        <li>
          <Card title={t('two')}>
            <NewSite />
          </Card>
        </li>
        <li>
          <Card title={t('three')}>
            <p class="says">{t('threeSays')}</p>
            <Link to="/app/gateways/claim">{t('claim')}</Link>
          </Card>
        </li>
      </ol>
    </>
  );
}
