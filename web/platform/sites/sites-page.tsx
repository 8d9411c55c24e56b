import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { createOrganization, isChosen, listOrganizations } from '#contract/cloud/organizations.ts';
import { createSite, type Site } from '#contract/cloud/sites.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { DecimalField, Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Card, Loading, Notice, PageHead, Step, TableCard } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { go, Link, pageUrl } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { may } from '../permissions.ts';
import { api, session } from '../session.ts';
import { allSites, chosenSites } from '../site.ts';
import { BackupReminder } from './backup-reminder.tsx';
import './sites.css';

const t = texts({
  all: 'Your sites',
  more: 'Add a site',
  registered: 'This platform did not know your key. It has been registered, and you start with a new account.',
  titleFirst: 'Get started',
  one: '1. Your key',
  oneSays: 'Done. It is stored in this browser.',
  two: '2. Your site',
  three: '3. Your gateway',
  threeSays: 'Claim the gateway in your home, then add its devices.',
  areaOptional: 'Price area (optional)',
  areaSays: 'SE1 to SE4 in Sweden. Used to show electricity prices.',
  fuse: 'Main fuse in amperes (optional)',
  make: 'Create site',
});

const nowOf = ({ id }: Pick<Site, 'id'>): string => `/app/sites/${encodeURIComponent(id)}`;

export default function SitesPage() {
  const sites = useLoad(allSites, []);
  const chosen = useLoad(chosenSites, []);
  const current = session.value;
  // Only a key file may be unknown to the platform without the person knowing.
  const isNew = current.state === 'in' && current.isNew && current.isBackedUp;
  const isStart = pageUrl.value.pathname === '/';
  const first = isStart ? chosen.value?.[0] : undefined;
  useEffect(() => {
    if (first) go(nowOf(first), { replace: true });
  }, [first]);
  if (first || (isStart && chosen.isLoading)) return <Loading />; // or the list would flash up on the way
  return (
    <>
      {isNew && <Notice tone="good">{t('registered')}</Notice>}
      <BackupReminder />
      <Loaded from={sites} empty={<FirstSite />}>
        {(list) => (
          <>
            <PageHead title={t('sites')} />
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
            <Card title={t('more')}>
              <NewSite orgId={list[0]?.org_id} />
            </Card>
          </>
        )}
      </Loaded>
    </>
  );
}

const FirstSite = () => (
  <>
    <PageHead title={t('titleFirst')} />
    <ol class="first-steps">
      <Step title={t('one')}>
        <p class="says">
          <Icon name="claim" /> {t('oneSays')}
        </p>
      </Step>
      <Step title={t('two')}>
        <NewSite />
      </Step>
      <Step title={t('three')} says={t('threeSays')}>
        <Link to="/app/gateways/claim">{t('claimGateway')}</Link>
      </Step>
    </ol>
  </>
);

/** Returns an organization that the person chose and may manage, preferring `usual`, or creates one. */
async function organizationId(usual: string | undefined): Promise<string> {
  const ids = (await Array.fromAsync(api().pages(listOrganizations))).filter(isChosen).map(({ id }) => id);
  for (const id of ids.toSorted((a, b) => Number(b === usual) - Number(a === usual))) {
    if (await may(id, 'manage')) return id;
  }
  return (await api().call(createOrganization, { body: { name: t('home') } })).id;
}

function NewSite({ orgId }: { orgId?: string | undefined }) {
  const name = useSignal('');
  const area = useSignal('');
  const fuse = useSignal('');
  const make = useAction(async () => {
    const body = {
      org_id: await organizationId(orgId),
      name: name.value.trim() || t('home'),
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
