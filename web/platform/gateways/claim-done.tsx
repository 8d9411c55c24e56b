import type { ClaimedGateway } from '#contract/cloud/gateways.ts';
import type { Organization } from '#contract/cloud/organizations.ts';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';

const t = texts({
  en: {
    title: 'Claimed',
    done: '{serial} belongs to {name} now.',
    transferred:
      'It came from another organization. The devices there are orphaned and keep their history; here they are added as new ones.',
    next: 'Next: tell the platform which devices it reads, and where they are. Until then the platform keeps none of its values.',
    devices: 'Add its devices',
    sites: 'Choose a site',
    gateway: 'See the gateway',
  },
  sv: {
    title: 'Klart',
    done: '{serial} tillhör nu {name}.',
    transferred:
      'Den kom från en annan organisation. Enheterna där är föräldralösa och behåller sin historik; här läggs de till som nya.',
    next: 'Nästa steg: tala om för plattformen vilka enheter den läser och var de finns. Innan dess sparas inga av dess värden.',
    devices: 'Lägg till dess enheter',
    sites: 'Välj en anläggning',
    gateway: 'Se gatewayen',
  },
});

type DoneProps = { claimed: ClaimedGateway; organization: Organization; siteId: string };

export function ClaimDone({ claimed, organization, siteId }: DoneProps) {
  const { gateway_serial: serial, transferred } = claimed;
  const gateway = encodeURIComponent(serial);
  return (
    <Card title={t('title')}>
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
