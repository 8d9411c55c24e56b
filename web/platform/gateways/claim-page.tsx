import { type Signal, useSignal } from '@preact/signals';
import type { ClaimedGateway } from '#contract/cloud/gateways.ts';
import { isChosen, type Organization } from '#contract/cloud/organizations.ts';
import type { Site } from '#contract/cloud/sites.ts';
import { Select } from '../../parts/field.tsx';
import { Card, Notice, PageHead, Step } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Link, LinkButton, pageUrl } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { NewOrganization } from '../organizations/new-organization.tsx';
import { allOrganizations, allSites } from '../site.ts';
import type { SignedGatewayClaim } from './check-claim.ts';
import { ClaimChecks, useChecks } from './claim-checks.tsx';
import { ClaimSource } from './claim-source.tsx';
import { ClaimSubmit } from './claim-submit.tsx';
import './claim.css';

const t = texts({
  says: 'The gateway signs a message that proves you have access to its network. Each signature works once.',
  where: '1. Choose an organization',
  find: '2. Get the signature',
  checks: '3. Check the signature',
  claim: '4. Claim',
  titleDone: 'Gateway claimed',
  done: '{serial} now belongs to {name}.',
  transferred:
    'The gateway was moved from another organization. Its devices there keep their history; add them here as new devices.',
  next: 'Next, add the devices it reads. Until then, none of its data is stored.',
  devices: 'Add devices',
  sites: 'Choose a site',
  gateway: 'View gateway',
  organizationSays: 'The organization will own the gateway, and its members can see it.',
  siteSays: 'Where you add devices next. A gateway can serve several sites.',
  later: 'Choose later',
  noSite: 'This organization has no sites yet.',
  makeSite: 'Create a site',
  first: 'Create an organization first',
  firstSays: 'A gateway belongs to an organization, such as a family or a company.',
});

type Choices = { organizations: Organization[]; sites: Site[] };

export default function ClaimPage() {
  const loaded = useLoad<Choices>(
    async (signal) => ({ organizations: await allOrganizations(signal), sites: await allSites(signal) }),
    [],
  );
  return (
    <>
      <PageHead title={t('claimGateway')} says={t('says')} />
      <Loaded from={loaded}>
        {(choices) =>
          choices.organizations.length > 0 ? (
            <Steps {...choices} />
          ) : (
            <Card title={t('first')} says={t('firstSays')}>
              <NewOrganization onMade={loaded.again} />
            </Card>
          )
        }
      </Loaded>
    </>
  );
}

function Steps({ organizations, sites }: Choices) {
  const asked = pageUrl.value.searchParams.get('site');
  const chosen = organizations.filter(isChosen).map(({ id }) => id);
  const wanted = sites.find(({ id }) => id === asked) ?? sites.find(({ org_id }) => chosen.includes(org_id));
  const orgId = useSignal(wanted?.org_id ?? chosen[0] ?? '');
  const siteId = useSignal(wanted?.id ?? '');
  const signed = useSignal<SignedGatewayClaim>();
  const done = useSignal<ClaimedGateway>();
  const checks = useChecks(signed.value?.claim);
  const organization = organizations.find(({ id }) => id === orgId.value);
  if (done.value && organization)
    return <ClaimDone claimed={done.value} organization={organization} siteId={siteId.value} />;
  return (
    <ol class="claim-steps">
      <Step title={t('where')}>
        <ClaimTarget organizations={organizations} sites={sites} orgId={orgId} siteId={siteId} />
      </Step>
      <Step title={t('find')}>
        <ClaimSource signed={signed} />
      </Step>
      {signed.value && organization && (
        <>
          <Step title={t('checks')}>
            <ClaimChecks from={checks} />
          </Step>
          <Step title={t('claim')}>
            <ClaimSubmit
              key={`${orgId.value} ${signed.value.claim.gateway_serial}`}
              signed={signed.value}
              organization={organization}
              isValid={checks.value?.every(({ verdict }) => verdict !== 'bad') ?? false}
              onClaimed={(claimed) => (done.value = claimed)}
            />
          </Step>
        </>
      )}
    </ol>
  );
}

type DoneProps = { claimed: ClaimedGateway; organization: Organization; siteId: string };

function ClaimDone({ claimed, organization, siteId }: DoneProps) {
  const { gateway_serial: serial, transferred } = claimed;
  const gateway = encodeURIComponent(serial);
  return (
    <Card title={t('titleDone')}>
      <Notice tone="good">{t('done', { serial, name: organization.name })}</Notice>
      {transferred && <p>{t('transferred')}</p>}
      <p>{t('next')}</p>
      <div class="actions">
        <LinkButton
          tone="main"
          to={`/app/sites${siteId && `/${encodeURIComponent(siteId)}/devices?add=${gateway}`}`}
          label={t(siteId ? 'devices' : 'sites')}
        />
        <LinkButton to={`/app/gateways?gateway=${gateway}`} label={t('gateway')} />
      </div>
    </Card>
  );
}

type TargetProps = Choices & { orgId: Signal<string>; siteId: Signal<string> };

function ClaimTarget({ organizations, sites, orgId, siteId }: TargetProps) {
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
