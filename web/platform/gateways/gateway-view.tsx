import { type Gateway, getGateway, releaseGateway } from '#contract/cloud/gateways.ts';
import { getOrganization } from '#contract/cloud/organizations.ts';
import { Age } from '../../parts/age.tsx';
import { Card, Figure } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { ConfirmButton } from '../../parts/dialog.tsx';
import { dateAndTime, number } from '../../parts/format.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { go, Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { OnlineTag } from '../devices/status-tags.tsx';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { DroppedCard } from './dropped-card.tsx';
import { GatewayDevices, listGatewayDevices } from './gateway-devices.tsx';
import { GatewayLog } from './gateway-log.tsx';

const t = texts({
  all: ['All gateways', 'Alla gateways'],
  state: ['Status', 'Status'],
  connection: ['Connection', 'Anslutning'],
  seen: ['Last seen', 'Senast ansluten'],
  devices: ['Devices', 'Enheter'],
  organization: ['Organization', 'Organisation'],
  claimed: ['Claimed', 'Övertagen'],
  key: ['Public key', 'Publik nyckel'],
  release: ['Release', 'Frigör'],
  title: ['Release {serial}?', 'Frigör {serial}?'],
  says: [
    'The gateway will no longer belong to anyone and is disconnected from the platform. Anyone on its network can then claim it.',
    'Gatewayen tillhör sedan ingen och kopplas från plattformen. Den som har tillgång till dess nätverk kan ta över den.',
  ],
  none: ['No devices are affected.', 'Inga enheter påverkas.'],
  orphans: [
    '{count} devices lose their gateway. They keep their history but get no new data. If you claim the gateway again, you can add them again and continue their history.',
    '{count} enheter blir utan gateway. De behåller sin historik men får inga nya data. Om du tar över gatewayen igen kan du lägga till dem igen och fortsätta historiken.',
  ],
  submit: ['Release gateway', 'Frigör gatewayen'],
});

const refreshMs = 5000;

/** Shows one gateway with its status, rejected messages, devices and log. */
export function GatewayView({ serial }: { serial: string }) {
  const loaded = useLoad(
    (signal) => api().call(getGateway, { params: { serial }, signal }),
    [serial],
    Math.floor(now.value / refreshMs),
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

function ReleaseButton({
  gateway: { gateway_serial: serial, org_id: orgId, device_count: count },
}: {
  gateway: Gateway;
}) {
  const release = async (): Promise<void> => {
    await api().call(releaseGateway, { params: { serial } });
    go('/app/gateways');
  };
  if (!useMay(orgId, 'manage')) return null;
  return (
    <ConfirmButton label={t('release')} title={t('title', { serial })} submit={t('submit')} work={release}>
      <p>{t('says')}</p>
      <p>{count === 0 ? t('none') : t('orphans', { count: number(count) })}</p>
      <DeviceNames serial={serial} orgId={orgId} count={count} />
    </ConfirmButton>
  );
}

function OrganizationLink({ id }: { id: string }) {
  const { value } = useLoad((signal) => api().call(getOrganization, { params: { org_id: id }, signal }), [id]);
  return <Link to={`/app/organizations/${encodeURIComponent(id)}`}>{value?.name ?? id}</Link>;
}

function DeviceNames(gateway: { serial: string; orgId: string; count: number }) {
  const devices = useLoad((signal) => listGatewayDevices(gateway, signal), [gateway.serial]);
  return (
    <ul>
      {devices.value?.map(({ id, name, siteName }) => (
        <li key={id}>
          {name}, {siteName}
        </li>
      ))}
    </ul>
  );
}
