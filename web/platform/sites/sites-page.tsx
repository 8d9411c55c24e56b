import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { createSite, type Site } from '#contract/cloud/sites.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { DecimalField, Field } from '../../parts/field.tsx';
import { Card, Loading, PageHead, TableCard } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { go, Link, LinkButton, pageUrl } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { ownOrganizationId } from '../own-organization.ts';
import { api } from '../session.ts';
import { allSites, chosenSites } from '../site.ts';
import { BackupReminder } from './backup-reminder.tsx';
import { zoneOfBrowser } from './zone-of-browser.ts';
import './sites.css';

const t = texts({
  all: 'Your sites',
  more: 'Add a site',
  setUpAnother: 'Set up another home',
  moreSays: 'Without a gateway, for example to plan a site.',
  areaOptional: 'Price area (optional)',
  areaSays: 'SE1 to SE4 in Sweden. Used to show electricity prices.',
  fuse: 'Main fuse in amperes (optional)',
  make: 'Create site',
});

const nowOf = ({ id }: Pick<Site, 'id'>): string => `/app/sites/${encodeURIComponent(id)}`;

export default function SitesPage() {
  const sites = useLoad(allSites, []);
  const chosen = useLoad(chosenSites, []);
  const isStart = pageUrl.value.pathname === '/';
  const first = isStart ? chosen.value?.[0] : undefined;
  const isEmpty = sites.value?.length === 0;
  useEffect(() => {
    if (first) go(nowOf(first), { replace: true });
    else if (isEmpty) go('/app/setup', { replace: true });
  }, [first, isEmpty]);
  if (first || isEmpty || (isStart && chosen.isLoading)) return <Loading />; // or the list would flash up on the way
  return (
    <>
      <BackupReminder />
      <Loaded from={sites}>
        {(list) => (
          <>
            <PageHead title={t('sites')}>
              <LinkButton tone="main" to="/app/setup?new" label={t('setUpAnother')} />
            </PageHead>
            <TableCard
              title={t('all')}
              rows={list}
              keyOf={({ id }) => id}
              columns={[
                { title: t('name'), show: (site) => <Link to={nowOf(site)}>{site.name}</Link> },
                { title: t('priceArea'), show: ({ price_area }) => price_area ?? '–' },
                { title: t('country'), show: ({ country }) => country ?? '–' },
                { title: t('timeZone'), show: ({ timezone }) => timezone ?? '–' },
                { title: t('settings'), show: (site) => <Link to={`${nowOf(site)}/settings`}>{t('settings')}</Link> },
              ]}
            />
            <Card title={t('more')} says={t('moreSays')}>
              <NewSite orgId={list[0]?.org_id} />
            </Card>
          </>
        )}
      </Loaded>
    </>
  );
}

function NewSite({ orgId }: { orgId?: string | undefined }) {
  const name = useSignal('');
  const area = useSignal('');
  const fuse = useSignal('');
  const make = useAction(async () => {
    const body = {
      org_id: await ownOrganizationId(orgId),
      name: name.value.trim() || t('home'),
      ...zoneOfBrowser(),
      ...(area.value && { price_area: area.value.trim().toUpperCase() }),
      ...(fuse.value && { fuse_a: Number(fuse.value) }),
    };
    go(nowOf(await api().call(createSite, { body })));
  });
  return (
    <ActionForm does={make} submit={t('make')}>
      <Field label={t('siteName')} value={name} placeholder={t('home')} maxLength={128} />
      <Field label={t('areaOptional')} says={t('areaSays')} value={area} placeholder="SE3" maxLength={16} />
      <DecimalField label={t('fuse')} value={fuse} min={1} max={10000} placeholder="20" />
    </ActionForm>
  );
}
