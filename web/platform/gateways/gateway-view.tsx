import type { DeviceListing } from '#contract/cloud/devices.ts';
import {
  type DropReason,
  type Gateway,
  type GatewayDetails,
  getGateway,
  releaseGateway,
} from '#contract/cloud/gateways.ts';
import { getOrganization } from '#contract/cloud/organizations.ts';
import { listSiteDevices, listSites, type Site } from '#contract/cloud/sites.ts';
import { ConfirmButton } from '../../parts/action.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Card, Figure, PageHead } from '../../parts/layout.tsx';
import { Loaded, LoadedTable, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { go, Link } from '../../parts/router.tsx';
import { dateAndTime, number, texts } from '../../parts/text.ts';
import { deviceTypeWords } from '../devices/device-words.ts';
import { LastSeen, OnlineTag } from '../devices/status-tags.tsx';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { GatewayLog } from './gateway-log.tsx';

const t = texts({
  all: 'All gateways',
  claimed: 'Claimed',
  release: 'Release',
  title: 'Release {serial}?',
  says: 'The gateway will no longer belong to anyone and is disconnected from the platform. Anyone on its network can then claim it.',
  none: 'No devices are affected.',
  orphans:
    '{count} devices lose their gateway. They keep their history but get no new data. If you claim the gateway again, you can add them again and continue their history.',
  submit: 'Release gateway',
  rejected: 'Rejected messages',
  noneRejected: 'No messages were rejected.',
  since: 'Since the platform was last started.',
  noneAdded: 'None of its devices has been added to a site. Only added devices are stored.',
  add: 'Go to sites',
});

const refreshMs = 5000;

/** Shows one gateway with its status, rejected messages, devices and log. */
export function GatewayView({ serial }: { serial: string }) {
  const loaded = useLoad(
    (signal) => api().call(getGateway, { params: { serial }, signal }),
    [serial],
    Math.floor(now.value / refreshMs),
  );
  return <Loaded from={loaded}>{(gateway) => <GatewayCards gateway={gateway} />}</Loaded>;
}

function GatewayCards({ gateway }: { gateway: GatewayDetails }) {
  const { gateway_serial: serial, org_id, device_count, public_key } = gateway;
  const devices = useLoad((signal) => listGatewayDevices(gateway, signal), [serial, org_id, device_count]);
  return (
    <>
      <PageHead title={serial} says={<Link to="/app/gateways">{t('all')}</Link>}>
        <ReleaseButton gateway={gateway} devices={devices.value ?? []} />
      </PageHead>
      <div class="cards">
        <Card title={t('status')}>
          <div class="figures">
            <Figure label={t('connection')} value={<OnlineTag isOnline={gateway.online} />} />
            <Figure label={t('lastSeen')} value={<LastSeen at={gateway.last_seen} />} />
            <Figure label={t('devices')} value={number(device_count)} />
          </div>
          <p class="says">
            {t('organization')}: <OrganizationLink id={org_id} />
            <br />
            {t('claimed')}: {dateAndTime(Date.parse(gateway.claimed_at))}
            <br />
            {t('publicKey')}: <code class="gateway-key">{public_key}</code> <CopyButton text={public_key} />
          </p>
        </Card>
        <DroppedCard dropped={gateway.dropped} />
      </div>
      <Card title={t('devices')}>
        <LoadedTable
          caption={t('devices')}
          from={devices}
          empty={
            <p class="says">
              {t('noneAdded')} <Link to="/app/sites">{t('add')}</Link>
            </p>
          }
          keyOf={({ id }) => id}
          columns={[
            {
              title: t('name'),
              show: ({ id, name, site }) => <Link to={`/app/sites/${site.id}/devices/${id}`}>{name}</Link>,
            },
            { title: t('type'), show: ({ type }) => deviceTypeWords(type) },
            { title: t('site'), show: ({ site }) => <Link to={`/app/sites/${site.id}/devices`}>{site.name}</Link> },
            { title: t('hardwareId'), show: ({ hardware_id }) => <code>{hardware_id}</code> },
          ]}
        />
      </Card>
      <GatewayLog serial={serial} />
    </>
  );
}

type ReleaseProps = { gateway: Gateway; devices: readonly GatewayDevice[] };

function ReleaseButton({ gateway: { gateway_serial: serial, org_id, device_count: count }, devices }: ReleaseProps) {
  const release = async (): Promise<void> => {
    await api().call(releaseGateway, { params: { serial } });
    go('/app/gateways');
  };
  if (!useMay(org_id, 'manage')) return null;
  return (
    <ConfirmButton label={t('release')} title={t('title', { serial })} submit={t('submit')} work={release}>
      <p>{t('says')}</p>
      <p>{count === 0 ? t('none') : t('orphans', { count: number(count) })}</p>
      <ul>
        {devices.map(({ id, name, site }) => (
          <li key={id}>
            {name}, {site.name}
          </li>
        ))}
      </ul>
    </ConfirmButton>
  );
}

function OrganizationLink({ id }: { id: string }) {
  const { value } = useLoad((signal) => api().call(getOrganization, { params: { org_id: id }, signal }), [id]);
  return <Link to={`/app/organizations/${encodeURIComponent(id)}`}>{value?.name ?? id}</Link>;
}

const reasonTexts = texts<DropReason>({
  malformed: 'could not be parsed',
  too_large: 'too large',
  not_finite: 'contained a value that is not a number',
  out_of_range: 'contained a value out of range',
  too_old: 'older than the retention period',
  not_provisioned: 'from devices that have not been added to a site',
  ambiguous_der: 'named a type that several parts of the device have',
  before_claim: 'measured before you claimed the gateway',
  unstorable: 'could not be stored',
  quota: 'exceeded the organization’s daily telemetry quota',
  too_many_fields: 'exceeded the number of fields per device',
});

/** Lists rejected messages of a gateway by reason. */
function DroppedCard({ dropped }: { dropped: GatewayDetails['dropped'] }) {
  const reasons = Object.entries(dropped);
  return (
    <Card title={t('rejected')}>
      {reasons.length === 0 ? (
        <p>{t('noneRejected')}</p>
      ) : (
        <ul class="dropped">
          {reasons.map(([reason, count]) => (
            <li key={reason}>
              <b class="number">{number(count)}</b> {reasonTexts.orName(reason)}
            </li>
          ))}
        </ul>
      )}
      <p class="says">{t('since')}</p>
    </Card>
  );
}

type GatewayDevice = DeviceListing & { site: Site };

/** Lists the devices of a gateway, site by site until all are found. */
async function listGatewayDevices(
  { gateway_serial: serial, org_id, device_count }: Gateway,
  signal: AbortSignal,
): Promise<GatewayDevice[]> {
  const found: GatewayDevice[] = [];
  for await (const site of api().pages(listSites, { query: { org_id }, signal })) {
    if (found.length >= device_count) break;
    for await (const device of api().pages(listSiteDevices, { params: { site_id: site.id }, signal })) {
      if (device.gateway_serial === serial && device.state !== 'orphaned') found.push({ ...device, site });
    }
  }
  return found;
}
