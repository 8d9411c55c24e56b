import { useSignal } from '@preact/signals';
import type { Site } from '#contract/cloud/sites.ts';
import { gather } from '../../parts/gather.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { allSites } from '../site.ts';
import type { Signed } from './check-claim.ts';
import { ClaimChecks, useChecks } from './claim-checks.tsx';
import { ClaimSource } from './claim-source.tsx';
import { ClaimSubmit } from './claim-submit.tsx';
import { ClaimTarget, FirstOrganization } from './claim-target.tsx';
import './claim.css';
import type { ClaimedGateway } from '#contract/cloud/gateways.ts';
import { isChosen, listOrganizations, type Organization } from '#contract/cloud/organizations.ts';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Link, pageUrl } from '../../parts/router.tsx';

const t = texts({
  en: {
    title: 'Claim a gateway',
    says: 'The gateway itself signs that you may have it. Whoever is not in its network gets no signature, and each one works once.',
    where: '1. Where it goes',
    find: '2. The gateway and its signature',
    checks: '3. What was signed',
    claim: '4. Claim it',
    titleDone: 'Claimed',
    done: '{serial} belongs to {name} now.',
    transferred:
      'It came from another organization. The devices there are orphaned and keep their history; here they are added as new ones.',
    next: 'Next: tell the platform which devices it reads, and where they are. Until then the platform keeps none of its values.',
    devices: 'Add its devices',
    sites: 'Choose a site',
    gateway: 'See the gateway',
  },
  sv: {
    title: 'Ta över en gateway',
    says: 'Gatewayen skriver själv under att du får den. Den som inte är i dess nät får ingen underskrift, och varje underskrift gäller en gång.',
    where: '1. Vart den ska',
    find: '2. Gatewayen och dess underskrift',
    checks: '3. Det som skrevs under',
    claim: '4. Ta över den',
    titleDone: 'Klart',
    done: '{serial} tillhör nu {name}.',
    transferred:
      'Den kom från en annan organisation. Enheterna där är föräldralösa och behåller sin historik; här läggs de till som nya.',
    next: 'Nästa steg: tala om för plattformen vilka enheter den läser och var de finns. Innan dess sparas inga av dess värden.',
    devices: 'Lägg till dess enheter',
    sites: 'Välj en anläggning',
    gateway: 'Se gatewayen',
  },
});

type Choices = { organizations: Organization[]; sites: Site[] };

export default function ClaimPage() {
  const loaded = useLoad<Choices>(
    async (signal) => ({
      organizations: await gather(api().pages(listOrganizations, { signal })),
      sites: await allSites(signal),
    }),
    [],
  );
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      <Loaded from={loaded}>
        {(choices) =>
          choices.organizations.length === 0 ? <FirstOrganization again={loaded.again} /> : <Steps {...choices} />
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
  const signed = useSignal<Signed | undefined>(undefined);
  const done = useSignal<ClaimedGateway | undefined>(undefined);
  const checks = useChecks(signed.value?.claim);
  const organization = organizations.find(({ id }) => id === orgId.value);
  if (done.value && organization)
    return <ClaimDone claimed={done.value} organization={organization} siteId={siteId.value} />;
  return (
    <ol class="claim-steps">
      <li>
        <Card title={t('where')}>
          <ClaimTarget organizations={organizations} sites={sites} orgId={orgId} siteId={siteId} />
        </Card>
      </li>
      <li>
        <Card title={t('find')}>
          <ClaimSource signed={signed} />
        </Card>
      </li>
      {signed.value && organization && (
        <>
          <li>
            <Card title={t('checks')}>
              <ClaimChecks from={checks} />
            </Card>
          </li>
          <li>
            <Card title={t('claim')}>
              <ClaimSubmit
                key={`${orgId.value} ${signed.value.claim.gateway_serial}`}
                signed={signed.value}
                organization={organization}
                isSound={checks.value?.every(({ verdict }) => verdict !== 'bad') ?? false}
                onClaimed={(claimed) => {
                  done.value = claimed;
                }}
              />
            </Card>
          </li>
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
        {siteId ? (
          <Link class="button main" to={`/app/sites/${encodeURIComponent(siteId)}/devices?add=${gateway}`}>
            {t('devices')}
          </Link>
        ) : (
          <Link class="button main" to="/app/sites">
            {t('sites')}
          </Link>
        )}
        <Link class="button" to={`/app/gateways?gateway=${gateway}`}>
          {t('gateway')}
        </Link>
      </div>
    </Card>
  );
}
