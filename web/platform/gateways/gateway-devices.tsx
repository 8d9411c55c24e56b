import { type Device, getDevice } from '#contract/cloud/devices.ts';
import { listSiteDevices, listSites } from '#contract/cloud/sites.ts';
import { Card } from '../../parts/card.tsx';
import { gather } from '../../parts/gather.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Link } from '../../parts/router.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { deviceTypeWords } from '../devices/device-words.ts';
import { api } from '../session.ts';

const t = texts({
  title: ['Devices', 'Enheter'],
  name: ['Name', 'Namn'],
  kind: ['Type', 'Typ'],
  site: ['Site', 'Anläggning'],
  hardware: ['Hardware ID', 'Hårdvaru-ID'],
  none: [
    'None of its devices has been added to a site. Only added devices are stored.',
    'Ingen av dess enheter har lagts till i en anläggning. Bara tillagda enheter sparas.',
  ],
  add: ['Go to sites', 'Gå till anläggningar'],
});

type DevicesProps = { serial: string; orgId: string; count: number };

export function GatewayDevices({ serial, orgId, count }: DevicesProps) {
  const loaded = useLoad((signal) => listGatewayDevices({ serial, orgId, count }, signal), [serial, orgId, count]);
  return (
    <Card title={t('title')}>
      <Loaded from={loaded}>
        {(devices) =>
          devices.length === 0 ? (
            <p class="says">
              {t('none')} <Link to="/app/sites">{t('add')}</Link>
            </p>
          ) : (
            <Table
              caption={t('title')}
              rows={devices}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: t('name'),
                  show: ({ id, name, site_id }) => <Link to={`/app/sites/${site_id}/devices/${id}`}>{name}</Link>,
                },
                { title: t('kind'), show: ({ type }) => deviceTypeWords(type) },
                {
                  title: t('site'),
                  show: ({ site_id, siteName }) => <Link to={`/app/sites/${site_id}/devices`}>{siteName}</Link>,
                },
                { title: t('hardware'), show: ({ hardware_id }) => <code>{hardware_id}</code> },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

type GatewayDevice = Device & { siteName: string };

/** Lists the devices of a gateway. Only device details name the gateway, so it searches site by site until all are found. */
export async function listGatewayDevices(
  { serial, orgId, count }: { serial: string; orgId: string; count: number },
  signal: AbortSignal,
): Promise<GatewayDevice[]> {
  const found: GatewayDevice[] = [];
  for await (const site of api().pages(listSites, { query: { org_id: orgId }, signal })) {
    if (found.length >= count) break;
    const listed = await gather(api().pages(listSiteDevices, { params: { site_id: site.id }, signal }));
    const devices = await Promise.all(
      listed
        .filter(({ state }) => state !== 'orphaned')
        .map(({ id }) => api().call(getDevice, { params: { device_id: id }, signal })),
    );
    const own = devices.filter(({ gateway_serial }) => gateway_serial === serial);
    found.push(...own.map((device) => ({ ...device, siteName: site.name })));
  }
  return found;
}
