import { useSignal } from '@preact/signals';
import { can } from '#contract/access.ts';
import {
  deleteOrganization,
  getOrganization,
  getUsage,
  listMembers,
  type Organization,
  type QuotaUsage,
  updateOrganization,
} from '#contract/cloud/organizations.ts';
import { ActionForm, ConfirmButton, useAction } from '../../parts/action.tsx';
import { CopyableId } from '../../parts/copy.tsx';
import { Field } from '../../parts/field.tsx';
import { Card, Details, PageHead } from '../../parts/layout.tsx';
import { Loaded, LoadedTable, useLoad } from '../../parts/load.tsx';
import { go, Link, type Params, paramOf } from '../../parts/router.tsx';
import { number, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { AuditCard } from './audit-card.tsx';
import { MembersCard } from './members-card.tsx';
import './organizations.css';

const t = texts({
  all: 'All organizations',
  fullName: 'Organization name',
  id: 'Organization ID',
  delete: 'Delete organization',
  deleteSays:
    'Delete its sites and release its gateways first. Deleting a site erases the history of its devices within 24 hours.',
  deleteThis: 'Delete this organization',
  deleteSure: 'All members lose access, and the activity log can no longer be read.',
  usage: 'Usage and limits',
  what: 'Resource',
  used: 'Used',
  limit: 'Limit',
  usageSays: 'The platform operator can raise these limits.',
});

export default function OrganizationPage({ params }: { params: Params }) {
  const orgId = paramOf(params, 'org');
  const loaded = useLoad(
    async (signal) => {
      const [organization, members] = await Promise.all([
        api().call(getOrganization, { params: { org_id: orgId }, signal }),
        Array.fromAsync(api().pages(listMembers, { params: { org_id: orgId }, query: { limit: 1000 }, signal })),
      ]);
      return { organization, members };
    },
    [orgId],
  );
  return (
    <Loaded from={loaded}>
      {({ organization, members }) => {
        const ownRole = members.find(({ identity_id }) => identity_id === api().identityId)?.role ?? 'owner'; // the platform operator is not a member
        return (
          <>
            <PageHead title={organization.name} says={<Link to="/app/organizations">{t('all')}</Link>} />
            <MembersCard orgId={orgId} members={members} ownRole={ownRole} again={loaded.again} />
            <div class="cards">
              {can(ownRole, 'manage') && <Rename organization={organization} again={loaded.again} />}
              {can(ownRole, 'own') && <DeleteCard organization={organization} />}
            </div>
            {can(ownRole, 'manage') && <UsageCard orgId={orgId} />}
            {can(ownRole, 'manage') && <AuditCard orgId={orgId} turn={loaded.value} />}
          </>
        );
      }}
    </Loaded>
  );
}

function Rename({ organization: { id, name }, again }: { organization: Organization; again(): void }) {
  const wanted = useSignal(name);
  const rename = useAction(async () => {
    await api().call(updateOrganization, { params: { org_id: id }, body: { name: wanted.value.trim() } });
    again();
  });
  return (
    <Card title={t('name')}>
      <ActionForm does={rename} submit={t('rename')}>
        <Field label={t('fullName')} value={wanted} maxLength={128} required />
      </ActionForm>
      <Details>
        <p>
          {t('id')}: <CopyableId id={id} />
        </p>
      </Details>
    </Card>
  );
}

function DeleteCard({ organization: { id, name } }: { organization: Organization }) {
  const end = async (): Promise<void> => {
    await api().call(deleteOrganization, { params: { org_id: id } });
    go('/app/organizations');
  };
  return (
    <Card title={t('delete')} says={t('deleteSays')}>
      <ConfirmButton label={t('deleteThis')} typed={name} work={end} says={t('deleteSure')} />
    </Card>
  );
}

const quotaText = texts({
  sites: 'Sites',
  gateways: 'Gateways',
  devices: 'Devices, including those without a gateway',
  oauth_clients: 'Applications',
  invitations: 'Pending invitations',
  telemetry_bytes_today: 'Telemetry stored today, UTC (MB)',
});

const shown = ({ name }: QuotaUsage, value: number): string =>
  number(name === 'telemetry_bytes_today' ? Math.round(value / 1_000_000) : value);

function UsageCard({ orgId }: { orgId: string }) {
  const usage = useLoad((signal) => api().call(getUsage, { params: { org_id: orgId }, signal }), [orgId]);
  return (
    <Card title={t('usage')}>
      <LoadedTable
        caption={t('usage')}
        from={usage}
        keyOf={({ name }) => name}
        columns={[
          { title: t('what'), show: ({ name }) => quotaText.orName(name) },
          { title: t('used'), isNumber: true, show: (quota) => shown(quota, quota.used) },
          { title: t('limit'), isNumber: true, show: (quota) => shown(quota, quota.limit) },
        ]}
      />
      <p class="says">{t('usageSays')}</p>
    </Card>
  );
}
