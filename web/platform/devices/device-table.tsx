import type { SiteReading } from '#contract/client/site-events.ts';
import type { DeviceListing } from '#contract/cloud/devices.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Age, isStale } from '../../parts/age.tsx';
import { Link } from '../../parts/router.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { DerNow } from './der-now.tsx';
import { DeviceActions } from './device-actions.tsx';
import { deviceTypeWords } from './device-words.ts';
import type { BehindAll } from './gateway-of-device.ts';
import { heardMs } from './heard.ts';
import { qualityOf } from './quality.ts';
import { QualityTag } from './quality-tag.tsx';

const t = texts({
  en: {
    caption: 'The devices of {name}',
    name: 'Name',
    now: 'Now',
    heard: 'Last heard',
    quality: 'Quality',
    change: 'Change',
  },
  sv: {
    caption: 'Enheterna i {name}',
    name: 'Namn',
    now: 'Nu',
    heard: 'Hördes senast',
    quality: 'Kvalitet',
    change: 'Ändra',
  },
});

type TableProps = {
  site: SiteDetails;
  readings: ReadonlyMap<string, SiteReading>;
  behind: BehindAll;
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
    { title: t('heard'), show: (device) => <Age ms={heardMs(device, readings)} /> },
    {
      title: t('quality'),
      show: (device) => {
        const heard = heardMs(device, readings);
        const known = { state: device.state, isStale: isStale(heard), wasHeard: heard !== undefined };
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
