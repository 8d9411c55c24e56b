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
    more: 'Add a site',
    settings: 'Settings',
    registered: 'This platform did not know your key. It has been registered, and you start with a new account.',
    titleFirst: 'Get started',
    one: '1. Your key',
    oneSays: 'Done. It is stored in this browser.',
    two: '2. Your site',
    three: '3. Your gateway',
    threeSays: 'Claim the gateway in your home, then add its devices.',
    claim: 'Claim a gateway',
  },
  sv: {
    title: 'Anläggningar',
    all: 'Dina anläggningar',
    name: 'Namn',
    area: 'Elområde',
    country: 'Land',
    zone: 'Tidszon',
    more: 'Lägg till anläggning',
    settings: 'Inställningar',
    registered: 'Plattformen kände inte till din nyckel. Den har registrerats och du börjar med ett nytt konto.',
    titleFirst: 'Kom igång',
    one: '1. Din nyckel',
    oneSays: 'Klart. Den är sparad i webbläsaren.',
    two: '2. Din anläggning',
    three: '3. Din gateway',
    threeSays: 'Ta över gatewayen i ditt hem och lägg sedan till dess enheter.',
    claim: 'Ta över en gateway',
  },
});

const nowOf = ({ id }: Site): string => `/app/sites/${encodeURIComponent(id)}`;

export default function SitesPage() {
  const sites = useLoad(allSites, []);
  const first = sites.value?.[0];
  const chosen = useLoad(chosenSites, []).value?.[0];
  const current = session.value;
  // Only a key file may be unknown to the platform without the person knowing.
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
