import { useEffect } from 'preact/hooks';
import type { SiteReading } from '#contract/client/site-stream.ts';
import type { DeviceListing } from '#contract/cloud/devices.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { DerTypeId } from '#contract/der.ts';
import { Age, isStale, readingWords } from '../../parts/age.tsx';
import { derWords } from '../../parts/der-words.ts';
import { Card, type Column, Failed, PageHead, Table } from '../../parts/layout.tsx';
import { now } from '../../parts/now.ts';
import { Link, LinkButton, pageUrl } from '../../parts/router.tsx';
import { power, texts } from '../../parts/text.ts';
import { useLive } from '../live.ts';
import { NoDevices, SilentNotice } from '../live-tag.tsx';
import { useMay } from '../permissions.ts';
import { LiveStatus, sitePage } from '../site-page.tsx';
import { AddDevice } from './add/add-device.tsx';
import { DeviceActions } from './device-actions.tsx';
import { deviceTypeWords } from './device-words.ts';
import { lastSeenMs, qualityOf } from './quality.ts';
import { type OnlineGateways, QualityTag, useOnlineGateways } from './status-tags.tsx';
import './devices.css';

const t = texts({
  manually: 'Add manually',
  caption: 'Devices at {name}',
  last: 'last known',
});

export default sitePage(function DevicesPage({ site, again }) {
  const live = useLive(site.id);
  const right = useMay(site.org_id, 'manage');
  const gateways = useOnlineGateways(site.org_id, site.devices);
  useEffect(() => live.listen(({ type }) => ['device', 'gateway'].includes(type) && again()), [live]);
  const here = `/app/sites/${encodeURIComponent(site.id)}/devices`;
  const isAdding = right === true && pageUrl.value.searchParams.has('add');
  return (
    <>
      <PageHead title={t('devices')} says={site.name} isUndecided={right === undefined}>
        {right !== false && !isAdding && (
          <>
            <LinkButton to={`${here}?add`} label={t('manually')} />
            <LinkButton tone="main" to={`/app/setup?site=${encodeURIComponent(site.id)}&add`} label={t('addDevice')} />
          </>
        )}
      </PageHead>
      <LiveStatus live={live} />
      <SilentNotice site={site} live={live} />
      <Failed problem={gateways.problem} />
      {isAdding && <AddDevice site={site} again={again} />}
      {site.devices.length > 0 ? (
        <Card title={t('allDevices')}>
          <DeviceTable {...{ site, right, again }} readings={live.readings.value} gateways={gateways.value} />
        </Card>
      ) : (
        !isAdding && <NoDevices site={site} />
      )}
    </>
  );
});

type TableProps = {
  site: SiteDetails;
  readings: ReadonlyMap<string, SiteReading>;
  gateways: OnlineGateways | undefined;
  /** to manage devices; undefined until it is known */
  right: boolean | undefined;
  again(): void;
};

function DeviceTable({ site, readings, gateways, right, again }: TableProps) {
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
      title: t('status'),
      show: (device) => {
        const isOnline = gateways?.get(device.gateway_serial);
        return <QualityTag quality={qualityOf(device.state, lastSeenMs(device, readings), isOnline, now.value)} />;
      },
    },
    ...(right === false
      ? []
      : [
          {
            title: t('actions'),
            isAction: true,
            show: (device: DeviceListing) => (
              <span class={right === undefined ? 'undecided' : undefined}>
                <DeviceActions {...{ device, gateways }} siteId={site.id} onChanged={again} onDeleted={again} />
              </span>
            ),
          },
        ]),
  ];
  return (
    <Table caption={t('caption', { name: site.name })} rows={site.devices} keyOf={({ id }) => id} columns={columns} />
  );
}

/** Shows the current, or last known, power of a DER. */
const DerNow = ({ type, reading }: { type: DerTypeId; reading: SiteReading | undefined }) => (
  <span class="der-now">
    <span class="says">{derWords(type)}</span>{' '}
    {reading?.W === undefined ? (
      t('noData')
    ) : (
      <>
        {isStale(reading.timestamp) && `${t('last')} `}
        <b>{power(reading.W)}</b> {readingWords(type, reading)}
      </>
    )}
  </span>
);
