import type { Organization } from '#contract/cloud/organizations.ts';
import { Card, Empty, PageHead, TableCard } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { go, Link } from '../../parts/router.tsx';
import { date, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { allOrganizations } from '../site.ts';
import { NewOrganization } from './new-organization.tsx';
import { personWords } from './person-words.ts';

const t = texts({
  says: 'Sites and gateways belong to an organization, such as a family or a company, and its members share them.',
  all: 'Your organizations',
  owner: 'Owner',
  since: 'Created',
  none: 'No organizations yet',
  noneSays: 'Create one below, or ask a member of one for an invitation.',
  more: 'New organization',
});

const pageOf = ({ id }: Organization): string => `/app/organizations/${encodeURIComponent(id)}`;

export default function OrganizationsPage() {
  const loaded = useLoad(allOrganizations, []);
  return (
    <>
      <PageHead title={t('organizations')} says={t('says')} />
      <Loaded from={loaded} empty={<Empty title={t('none')} says={t('noneSays')} />}>
        {(list) => (
          <TableCard
            title={t('all')}
            rows={list}
            keyOf={({ id }) => id}
            columns={[
              { title: t('name'), show: (one) => <Link to={pageOf(one)}>{one.name}</Link> },
              {
                title: t('owner'),
                show: ({ owner_id, owner_name }) =>
                  owner_id === api().identityId ? t('you') : personWords(owner_name, owner_id),
              },
              { title: t('since'), show: ({ created_at }) => date(Date.parse(created_at)) },
            ]}
          />
        )}
      </Loaded>
      <Card title={t('more')}>
        <NewOrganization required onMade={(made) => go(pageOf(made))} />
      </Card>
    </>
  );
}
