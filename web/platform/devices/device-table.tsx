import type { SiteReading } from '#contract/client/site-stream.ts';
import type { DeviceListing } from '#contract/cloud/devices.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { DerTypeId } from '#contract/der.ts';
import { Age, isStale } from '../../parts/age.tsx';
import { derWords, directionWords } from '../../parts/der-words.ts';
import { percent, power } from '../../parts/format.ts';
import { Link } from '../../parts/router.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { DeviceActions } from './device-actions.tsx';
import type { DeviceGateways } from './device-gateways.ts';
import { deviceTypeWords } from './device-words.ts';
import { lastSeenMs, qualityOf } from './quality.ts';
import { QualityTag } from './status-tags.tsx';

const t = texts({
  caption: ['Devices at {name}', 'Enheter i {name}'],
  name: ['Name', 'Namn'],
  now: ['Now', 'Nu'],
  lastSeen: ['Last seen', 'Senast ansluten'],
  quality: ['Status', 'Status'],
  change: ['Actions', 'Åtgärder'],
  nothing: ['no data', 'inga data'],
  last: ['last known', 'senast'],
  full: ['{percent} charged', '{percent} laddat'],
});

type TableProps = {
  site: SiteDetails;
  readings: ReadonlyMap<string, SiteReading>;
  behind: DeviceGateways;
  mayManage: boolean;
  again(): void;
};

export function DeviceTable({ site, readings, behind, mayManage, again }: TableProps) {
  const columns: Column<DeviceListing>[] = [
    {
      title: t('name'),
      show: ({ id, name, type }) => (
        <span class="device-name">
          <Link to={`/app/sites/${encodeURIComponent(site.id)}/devices/${encodeURIComponent(id)}`}>{name}</Link>
          <span class="says">{deviceTypeWords(type)}</span>
        </span>
      ),
    },
    {
      title: t('now'),
      show: ({ ders }) => (
        <span class="ders-now">
          {ders.length === 0 && '–'}
          {ders.map(({ id, type }) => (
            <DerNow key={id} type={type} reading={readings.get(id)} />
          ))}
        </span>
      ),
    },
    { title: t('lastSeen'), show: (device) => <Age ms={lastSeenMs(device, readings)} /> },
    {
      title: t('quality'),
      show: (device) => {
        const lastSeen = lastSeenMs(device, readings);
        const known = { state: device.state, isStale: isStale(lastSeen), hasData: lastSeen !== undefined };
        return <QualityTag quality={qualityOf({ ...known, isGatewayOnline: behind.of(device.id)?.isOnline })} />;
      },
    },
    ...(mayManage
      ? [
          {
            title: t('change'),
            show: (device: DeviceListing) => (
              <DeviceActions
                device={device}
                siteId={site.id}
                behind={behind.of(device.id)}
                onChanged={again}
                onDeleted={again}
              />
            ),
          },
        ]
      : []),
  ];
  return (
    <Table caption={t('caption', { name: site.name })} rows={site.devices} keyOf={({ id }) => id} columns={columns} />
  );
}

type DerNowProps = { type: DerTypeId; reading: SiteReading | undefined };

/** Shows the current, or last known, power of a DER. */
function DerNow({ type, reading }: DerNowProps) {
  const { W: watts, SoC_nom_fract: charge, vehicle_soc_fract: car } = reading ?? {};
  const fraction = charge ?? car;
  return (
    <span class="der-now">
      <span class="says">{derWords(type)}</span>{' '}
      {watts === undefined ? (
        t('nothing')
      ) : (
        <>
          {isStale(reading?.timestamp) && `${t('last')} `}
          <b>{power(watts)}</b> {directionWords(type, watts)}
          {fraction !== undefined && `, ${t('full', { percent: percent(fraction) })}`}
        </>
      )}
    </span>
  );
}
