import { type Signal, useSignal } from '@preact/signals';
import { createOrganization, type Organization } from '#contract/cloud/organizations.ts';
import type { Site } from '#contract/cloud/sites.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  en: {
    organization: 'Organization',
    choose: 'Choose…',
    organizationSays: 'It will own the gateway; its members may see it.',
    site: 'Site for its devices',
    siteSays: 'Where you go on afterwards. A gateway may serve several sites.',
    later: 'Choose later',
    noSite: 'This organization has no site yet.',
    makeSite: 'Make a site first',
    first: 'First an organization',
    firstSays: 'A gateway belongs to an organization, be it a family or a company. Yours needs only a name.',
    name: 'Name',
    example: 'Home',
    make: 'Make it',
  },
  sv: {
    organization: 'Organisation',
    choose: 'Välj…',
    organizationSays: 'Den kommer att äga gatewayen; dess medlemmar får se den.',
    site: 'Anläggning för dess enheter',
    siteSays: 'Där du fortsätter efteråt. En gateway kan betjäna flera anläggningar.',
    later: 'Välj senare',
    noSite: 'Organisationen har ingen anläggning ännu.',
    makeSite: 'Skapa en anläggning först',
    first: 'Först en organisation',
    firstSays: 'En gateway tillhör en organisation, en familj eller ett företag. Din behöver bara ett namn.',
    name: 'Namn',
    example: 'Hemma',
    make: 'Skapa den',
  },
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

/** For somebody who has none. */
export function FirstOrganization({ again }: { again(): void }) {
  const name = useSignal('');
  const make = useAction(async () => {
    await api().call(createOrganization, { body: { name: name.value.trim() || t('example') } });
    again();
  });
  return (
    <Card title={t('first')}>
      <p class="says">{t('firstSays')}</p>
      <ActionForm does={make} submit={t('make')}>
        <Field label={t('name')} value={name} placeholder={t('example')} maxLength={128} />
      </ActionForm>
    </Card>
  );
}
