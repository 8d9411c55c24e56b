import type { Signal } from '@preact/signals';
import type { Organization } from '#contract/cloud/organizations.ts';
import type { Site } from '#contract/cloud/sites.ts';
import { Card } from '../../parts/card.tsx';
import { Select } from '../../parts/field.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { NewOrganization } from '../organizations/new-organization.tsx';

const t = texts({
  organization: ['Organization', 'Organisation'],
  choose: ['Choose…', 'Välj…'],
  organizationSays: [
    'The organization will own the gateway, and its members can see it.',
    'Organisationen äger sedan gatewayen och dess medlemmar kan se den.',
  ],
  site: ['Site', 'Anläggning'],
  siteSays: [
    'Where you add devices next. A gateway can serve several sites.',
    'Där du sedan lägger till enheter. En gateway kan betjäna flera anläggningar.',
  ],
  later: ['Choose later', 'Välj senare'],
  noSite: ['This organization has no sites yet.', 'Organisationen har inga anläggningar ännu.'],
  makeSite: ['Create a site', 'Skapa en anläggning'],
  first: ['Create an organization first', 'Skapa först en organisation'],
  firstSays: [
    'A gateway belongs to an organization, such as a family or a company.',
    'En gateway tillhör en organisation, till exempel en familj eller ett företag.',
  ],
});

type TargetProps = {
  organizations: readonly Organization[];
  sites: readonly Site[];
  orgId: Signal<string>;
  siteId: Signal<string>;
};

export function ClaimTarget({ organizations, sites, orgId, siteId }: TargetProps) {
  const own = sites.filter(({ org_id }) => org_id === orgId.value);
  if (siteId.value && !own.some(({ id }) => id === siteId.value)) siteId.value = own[0]?.id ?? '';
  return (
    <div class="claim-fields">
      <Select
        label={t('organization')}
        says={t('organizationSays')}
        value={orgId}
        choices={[
          ...(orgId.value ? [] : [{ value: '', label: t('choose') }]),
          ...organizations.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {orgId.value === '' ? undefined : own.length > 0 ? (
        <Select
          label={t('site')}
          says={t('siteSays')}
          value={siteId}
          choices={[...own.map(({ id, name }) => ({ value: id, label: name })), { value: '', label: t('later') }]}
        />
      ) : (
        <p class="says">
          {t('noSite')} <Link to="/app/sites">{t('makeSite')}</Link>
        </p>
      )}
    </div>
  );
}

export const FirstOrganization = ({ again }: { again(): void }) => (
  <Card title={t('first')}>
    <p class="says">{t('firstSays')}</p>
    <NewOrganization onMade={again} />
  </Card>
);
