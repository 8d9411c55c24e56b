import { useSignal } from '@preact/signals';
import { createOrganization, listOrganizations, type Organization } from '#contract/cloud/organizations.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Field } from '../../parts/field.tsx';
import { date } from '../../parts/format.ts';
import { gather } from '../../parts/gather.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Empty } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { go, Link } from '../../parts/router.tsx';
import { TableCard } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  en: {
    title: 'People',
    says: 'Sites and gateways belong to an organization, be it a family or a company. Its members share them, each with a role.',
    all: 'Your organizations',
    name: 'Name',
    owner: 'Owner',
    you: 'you',
    since: 'Since',
    none: 'You are in no organization yet',
    noneSays: 'Create one here, or ask a member of one for an invitation.',
    more: 'A new organization',
    example: 'Home',
    make: 'Make it',
  },
  sv: {
    title: 'Personer',
    says: 'Anläggningar och gateways tillhör en organisation, en familj eller ett företag. Medlemmarna delar dem, var och en med sin roll.',
    all: 'Dina organisationer',
    name: 'Namn',
    owner: 'Ägare',
    you: 'du',
    since: 'Sedan',
    none: 'Du är inte med i någon organisation ännu',
    noneSays: 'Skapa en här, eller be någon som är med i en om en inbjudan.',
    more: 'En ny organisation',
    example: 'Hemma',
    make: 'Skapa den',
  },
});

const pageOf = ({ id }: Organization): string => `/app/organizations/${encodeURIComponent(id)}`;

export default function OrganizationsPage() {
  const loaded = useLoad((signal) => gather(api().pages(listOrganizations, { signal })), []);
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      <Loaded from={loaded}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('none')}>
              <p class="says">{t('noneSays')}</p>
            </Empty>
          ) : (
            <TableCard
              title={t('all')}
              rows={list}
              keyOf={({ id }) => id}
              columns={[
                { title: t('name'), show: (one) => <Link to={pageOf(one)}>{one.name}</Link> },
                {
                  title: t('owner'),
                  show: ({ owner_id }) => (owner_id === api().identityId ? t('you') : <code>{owner_id}</code>),
                },
                { title: t('since'), show: ({ created_at }) => date(Date.parse(created_at)) },
              ]}
            />
          )
        }
      </Loaded>
      <Card title={t('more')}>
        <NewOrganization />
      </Card>
    </>
  );
}

function NewOrganization() {
  const name = useSignal('');
  const make = useAction(async () => {
    const body = { name: name.value.trim() };
    go(pageOf(await api().call(createOrganization, { body })));
  });
  return (
    <ActionForm does={make} submit={t('make')}>
      <Field label={t('name')} value={name} placeholder={t('example')} maxLength={128} required />
    </ActionForm>
  );
}
