import { type Gateway, getGateway, releaseGateway } from '#contract/cloud/gateways.ts';
import { getOrganization } from '#contract/cloud/organizations.ts';
import { Age } from '../../parts/age.tsx';
import { Card, Figure } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Confirm, DangerButton } from '../../parts/dialog.tsx';
import { dateAndTime, number } from '../../parts/format.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { go, Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { DroppedCard } from './dropped-card.tsx';
import { devicesOfGateway, GatewayDevices } from './gateway-devices.tsx';
import { GatewayLog } from './gateway-log.tsx';
import { OnlineTag } from './online-tag.tsx';

const t = texts({
  en: {
    all: 'All gateways',
    state: 'How it is',
    connection: 'Connection',
    seen: 'Last seen',
    devices: 'Devices',
    organization: 'Organization',
    claimed: 'Claimed',
    key: 'Public key',
    release: 'Release it',
    title: 'Release {serial}',
    says: 'It then belongs to nobody, and its connection to the platform ends. Whoever gets a signature from it may claim it; its key stays bound to its serial.',
    none: 'No device depends on it.',
    orphans:
      '{count} devices become orphaned: they keep their history, and nothing new comes. Claimed again, each can be added again and goes on where it was.',
    submit: 'Release it',
  },
  sv: {
    all: 'Alla gateways',
    state: 'Hur den mår',
    connection: 'Anslutning',
    seen: 'Sågs senast',
    devices: 'Enheter',
    organization: 'Organisation',
    claimed: 'Togs över',
    key: 'Publik nyckel',
    release: 'Släpp den',
    title: 'Släpp {serial}',
    says: 'Den tillhör sedan ingen, och dess anslutning till plattformen upphör. Den som får en underskrift av den kan ta över den; dess nyckel förblir bunden till serienumret.',
    none: 'Ingen enhet är beroende av den.',
    orphans:
      '{count} enheter blir föräldralösa: de behåller sin historik, och inget nytt kommer. Tas gatewayen över igen kan var och en läggas till igen och fortsätta där den var.',
    submit: 'Släpp den',
  },
});

const lookMs = 5000;

/** One gateway: how it is, what was not kept of it, its devices and its log. */
export function GatewayView({ serial }: { serial: string }) {
  const loaded = useLoad(
    (signal) => api().call(getGateway, { params: { serial }, signal }),
    [serial],
    Math.floor(now.value / lookMs),
  );
  return (
    <Loaded from={loaded}>
      {(gateway) => (
        <>
          <PageHead title={serial} says={<Link to="/app/gateways">{t('all')}</Link>}>
            <ReleaseButton gateway={gateway} />
          </PageHead>
          <div class="cards">
            <Card title={t('state')}>
              <div class="figures">
                <Figure label={t('connection')} value={<OnlineTag isOnline={gateway.online} />} />
                <Figure
                  label={t('seen')}
                  value={<Age ms={gateway.last_seen === null ? undefined : Date.parse(gateway.last_seen)} />}
                />
                <Figure label={t('devices')} value={number(gateway.device_count)} />
              </div>
              <p class="says">
                {t('organization')}: <OrganizationLink id={gateway.org_id} />
                <br />
                {t('claimed')}: {dateAndTime(Date.parse(gateway.claimed_at))}
                <br />
                {t('key')}: <code class="gateway-key">{gateway.public_key}</code>{' '}
                <CopyButton text={gateway.public_key} />
              </p>
            </Card>
            <DroppedCard dropped={gateway.dropped} />
          </div>
          <GatewayDevices serial={serial} orgId={gateway.org_id} count={gateway.device_count} />
          <GatewayLog serial={serial} />
        </>
      )}
    </Loaded>
  );
}

function ReleaseButton({ gateway }: { gateway: Gateway }) {
  if (!useMay(gateway.org_id, 'manage')) return null;
  return (
    <DangerButton label={t('release')}>{(close) => <ReleaseGateway gateway={gateway} onClose={close} />}</DangerButton>
  );
}

function OrganizationLink({ id }: { id: string }) {
  const { value } = useLoad((signal) => api().call(getOrganization, { params: { org_id: id }, signal }), [id]);
  return <Link to={`/app/organizations/${encodeURIComponent(id)}`}>{value?.name ?? id}</Link>;
}

/** Asks, with what the release orphans. */
function ReleaseGateway({ gateway, onClose }: { gateway: Gateway; onClose(): void }) {
  const { gateway_serial: serial, org_id: orgId, device_count: count } = gateway;
  const devices = useLoad((signal) => devicesOfGateway({ serial, orgId, count }, signal), [serial]);
  const release = async (): Promise<void> => {
    await api().call(releaseGateway, { params: { serial } });
    go('/app/gateways');
  };
  return (
    <Confirm title={t('title', { serial })} submit={t('submit')} work={release} onClose={onClose}>
      <p>{t('says')}</p>
      <p>{count === 0 ? t('none') : t('orphans', { count: number(count) })}</p>
      <ul>
        {devices.value?.map(({ id, name, siteName }) => (
          <li key={id}>
            {name}, {siteName}
          </li>
        ))}
      </ul>
    </Confirm>
  );
}
