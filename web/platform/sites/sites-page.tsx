import { useEffect } from 'preact/hooks';
import type { Site } from '#contract/cloud/sites.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { go, Link, place } from '../../parts/router.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { texts } from '../../parts/text.ts';
import { session } from '../session.ts';
import { allSites, chosenSites } from '../site.ts';
import { BackupReminder } from './backup-reminder.tsx';
import { FirstSite } from './first-site.tsx';
import { NewSite } from './new-site.tsx';

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
  const isStart = place.value.pathname === '/';
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
